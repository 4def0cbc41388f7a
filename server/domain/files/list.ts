import type { Ctx } from "../../context";
import { int4, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { decodeCursor, encodeCursor } from "../../lib/cursor";
import { fileColumns, type FileRow, fileSql, hasContentSql } from "./file";
import type { FilesHub } from "./hub";
import { expiredSql } from "./in-use";

export const fileKinds = ["upload", "output"] as const;
export type FileKind = (typeof fileKinds)[number];

export const fileTypes = ["image", "video", "audio", "other"] as const;
export type FileType = (typeof fileTypes)[number];

interface FileFilters {
  kind?: FileKind;
  type?: FileType;
  /** Part of the name, in upper or lower case. */
  q?: string;
}

/** A page of a search examines at most this many files, so that its cost does not grow with the account's files. */
const MAX_EXAMINED = 10_000;

/**
 * Returns one page of the account's files that have not expired, newest first; one statement on a dedicated index. With
 * `q` or `type` it examines the newest 10,000 files after the cursor.
 */
export async function listFiles(
  ctx: Ctx<FilesHub>,
  { limit, cursor, kind, type, q }: { limit: number; cursor?: string } & FileFilters,
): Promise<{ data: FileRow[]; next_cursor: string | null }> {
  const scope = JSON.stringify(["files", ctx.account.id, kind, type, q]);
  const before = cursor === undefined ? null : decodeCursor(ctx.hub, scope, cursor);
  const position = [ctx.hub.db, ctx.account.id, ctx.hub.now(), before, limit + 1] as const;
  const rows =
    type || q
      ? await searchFiles[kind ?? "all"](...position, type ? typePatterns[type] : null, q ? containsPattern(q) : null)
      : await selectFiles[kind ?? "all"](...position);
  const data = rows.slice(0, limit);
  const next_cursor = rows.length > limit ? encodeCursor(ctx.hub.secret, scope, data.at(-1)!.id) : null;
  return { data, next_cursor };
}

/** Regular expressions of Postgres for media types. */
const typePatterns: Record<FileType, string> = {
  image: "^image/",
  video: "^video/",
  audio: "^audio/",
  other: "^(?!image/|video/|audio/)",
};

const containsPattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

// BETWEEN and ORDER BY account_id keep the planner on the index by account, as in the list of generations.
const storedSql = (kindFilter: string) => `
  FROM file f
  WHERE f.account_id BETWEEN $1 AND $1 AND ${hasContentSql("f")} ${kindFilter}
    AND ($3::uuid IS NULL OR f.id < $3)`;

const declareSelect = (kindFilter: string) =>
  statement({
    params: [int4, timestamptz, nullable(uuid), int8Number],
    row: fileColumns,
    text: `
      SELECT ${fileSql} ${storedSql(kindFilter)} AND NOT ${expiredSql("$2")}
      ORDER BY f.account_id, f.id DESC LIMIT $4`,
  });

const declareSearch = (kindFilter: string) =>
  statement({
    params: [int4, timestamptz, nullable(uuid), int8Number, nullable(text), nullable(text)],
    row: fileColumns,
    text: `
      WITH examined AS MATERIALIZED (
        SELECT ${fileSql} ${storedSql(kindFilter)} ORDER BY f.account_id, f.id DESC LIMIT ${MAX_EXAMINED}
      )
      SELECT ${fileSql} FROM examined f
      WHERE ($5::text IS NULL OR f.media_type ~ $5) AND ($6::text IS NULL OR f.name ILIKE $6) AND NOT ${expiredSql("$2")}
      ORDER BY f.id DESC LIMIT $4`,
  });

const declareByKind = <T>(declare: (kindFilter: string) => T): Record<FileKind | "all", T> => ({
  all: declare(""),
  upload: declare("AND f.generation_id IS NULL"),
  output: declare("AND f.generation_id IS NOT NULL"),
});
const selectFiles = declareByKind(declareSelect);
const searchFiles = declareByKind(declareSearch);
