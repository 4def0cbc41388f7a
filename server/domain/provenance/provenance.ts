import { type Ctx, onlyKeyOf } from "../../context";
import { bool, bytea, int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { FilesHub } from "../files";
import { expiredSql, fileColumns, fileSql, isFileOfKeySql } from "../files/sql";
import { DIGITAL_SOURCE_TYPE, GENERATOR, type Mark, marks } from "../marks";

/** How many files of one hash are returned, and how many are examined for the newest of them. */
const MAX_IDENTIFIED = 20;
const MAX_EXAMINED = 1_000;

const provenanceColumns = { ...fileColumns, model: nullable(text), expired: bool };

/** A stored file with what the hub knows of its origin, also after its content was removed. */
type ProvenanceRow = RowOf<typeof provenanceColumns>;

// A key that sees only its own files identifies only those.
const originSql = (key: string) =>
  `FROM file f WHERE f.account_id = $1 AND f.stored_at IS NOT NULL AND ${isFileOfKeySql(key)}`;
const columnsSql = `
  ${fileSql}, (SELECT model FROM generation WHERE id = f.generation_id) AS model, ${expiredSql("$4")} AS expired`;

/**
 * Returns the origin of the account's file, or the key's if it sees only its own. Throws a 404 `resource_not_found` when the
 * file is missing, another account's or unfinished.
 */
export async function getProvenance({ hub, account, actor }: Ctx<FilesHub>, id: string): Promise<ProvenanceRow> {
  const rows = isId(id) ? await selectFile(hub.db, account.id, id, onlyKeyOf(actor), hub.now()) : [];
  if (!rows[0]) throw new AppError("resource_not_found");
  return rows[0];
}

const selectFile = statement({
  params: [int4, uuid, nullable(uuid), timestamptz],
  row: provenanceColumns,
  text: `SELECT ${columnsSql} ${originSql("$3")} AND f.id = $2`,
});

/** Returns the newest of the account's files with this SHA-256, at most 20. Files of other accounts are never found. */
export const identifyFiles = ({ hub, account, actor }: Ctx<FilesHub>, sha256: Buffer): Promise<ProvenanceRow[]> =>
  selectByHash(hub.db, account.id, sha256, onlyKeyOf(actor), hub.now());

// Stored and removed files have separate partial indexes.
const selectByHash = statement({
  params: [int4, bytea, nullable(uuid), timestamptz],
  row: provenanceColumns,
  text: `
    WITH found AS MATERIALIZED (
      (SELECT f.* ${originSql("$3")} AND f.sha256 = $2 AND f.removed_at IS NULL LIMIT ${MAX_EXAMINED})
      UNION ALL
      (SELECT f.* ${originSql("$3")} AND f.sha256 = $2 AND f.removed_at IS NOT NULL LIMIT ${MAX_EXAMINED})
    ), newest AS MATERIALIZED (SELECT * FROM found ORDER BY id DESC LIMIT ${MAX_IDENTIFIED})
    SELECT ${columnsSql} FROM newest f ORDER BY f.id DESC`,
});

/** Returns the public representation of a file's origin. */
export const serializeProvenance = (file: ProvenanceRow) => {
  const isOutput = file.generation_id !== null;
  const isGenerated = isOutput && file.mark !== "model_exempt";
  return {
    id: file.id,
    sha256: file.sha256.toString("hex"),
    media_type: file.media_type,
    size: Number(file.size),
    kind: isOutput ? ("output" as const) : ("upload" as const),
    generation_id: file.generation_id,
    model: file.model,
    generator: isOutput ? GENERATOR : null,
    digital_source_type: isGenerated ? DIGITAL_SOURCE_TYPE : null,
    mark: file.mark,
    description: describeMark(file),
    created_at: file.created_at.toISOString(),
    available: !file.expired,
  };
};

/** Returns what is known of a file's mark, in words. */
function describeMark({ generation_id, mark }: ProvenanceRow): string {
  if (generation_id === null) return "An upload. The hub does not know what made it.";
  return mark === null ? "Stored by a version of the hub that did not mark outputs." : marks[mark];
}

/** Returns what is known of the marks of a generation's outputs, in words, each once. */
export const describeMarks = async ({ hub, account }: Ctx<FilesHub>, generationId: string): Promise<string[]> =>
  (await selectMarks(hub.db, account.id, generationId)).flatMap(({ mark }) => (mark === null ? [] : [marks[mark]]));

const selectMarks = statement({
  params: [int4, uuid],
  row: { mark: nullable(textOf<Mark>()) },
  text: `
    SELECT DISTINCT mark FROM file
    WHERE account_id = $1 AND generation_id = $2 AND stored_at IS NOT NULL AND mark IS NOT NULL ORDER BY mark`,
});
