import { bytea, int4, int8Number, notNull, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import type { OutputContent } from "../../providers/job";
import { fileExtension } from "../content";
import type { Mark } from "../marks";
import type { FilesHub } from "./hub";
import { NEVER_EXPIRES } from "./never-expires";
import { putMarked } from "./put-marked";

const DAY_MS = 86_400_000;

/** The generation and index of an output. */
interface OutputTarget {
  generationId: string;
  accountId: number;
  index: number;
  /** The fence of the worker's lease; 0 without a worker. */
  fence?: number;
}

/**
 * Stores one output of a generation, marked as generated, which becomes visible when the generation succeeds. Returns its size
 * in bytes; null when it came too late, because the output is already visible or its row was discarded. Throws
 * `payload_too_large` above 1 GiB. Safe to retry after a crash at any point: the row is inserted before the content, so there
 * is no content without a row, and a retry overwrites both.
 */
export async function storeOutput(hub: FilesHub, target: OutputTarget, output: OutputContent): Promise<number | null> {
  const now = hub.now();
  const expiresAt = new Date(now.getTime() + hub.env.OUTPUT_TTL_DAYS * DAY_MS);
  const { accountId, generationId, index, fence = 0 } = target;
  const [row] = await reserveOutput(
    hub.db,
    newId(),
    accountId,
    generationId,
    index,
    output.mediaType,
    now,
    expiresAt,
    fence,
    fileExtension(output.mediaType),
  );
  if (!row) return null;
  const { size, sha256, mark } = await putMarked(hub, { ...target, id: row.id, model: row.model }, output);
  if ((await recordContent(hub.db, row.id, size, sha256, mark)).length > 0) return size;
  // The generation ended long ago, and its row was discarded during the upload.
  if ((await selectFile(hub.db, row.id)).length === 0) await hub.storage.remove(row.id);
  return null;
}

// A retry renews created_at, so that the sweep does not discard the row during the upload. The account may keep outputs for a
// shorter time. The name comes from the model's id, whose colons file systems do not allow.
const reserveOutput = statement({
  params: [uuid, int4, uuid, int4, text, timestamptz, timestamptz, int4, text],
  row: { id: uuid, model: notNull(text) },
  text: `
    INSERT INTO file (id, account_id, generation_id, index, media_type, created_at, expires_at, fence, name)
    SELECT $1, $2, id, $4, $5, $6,
           least($7, $6::timestamptz + make_interval(hours => 24 * (SELECT output_days FROM account_retention WHERE account_id = $2))),
           $8, replace(left(model, 180), ':', '-') || '-' || ($4 + 1) || '.' || $9
    FROM generation WHERE id = $3
    ON CONFLICT (generation_id, fence, index) DO UPDATE
      SET media_type = EXCLUDED.media_type, name = EXCLUDED.name, created_at = EXCLUDED.created_at,
          expires_at = EXCLUDED.expires_at
      WHERE file.stored_at IS NULL
    RETURNING id, (SELECT model FROM generation WHERE id = $3) AS model`,
});

const recordContent = statement({
  params: [uuid, int8Number, bytea, textOf<Mark>()],
  row: { id: uuid },
  text: "UPDATE file SET size = $2, sha256 = $3, mark = $4 WHERE id = $1 AND stored_at IS NULL RETURNING id",
});

const selectFile = statement({ params: [uuid], row: { id: uuid }, text: "SELECT id FROM file WHERE id = $1" });

/**
 * SQL that makes the outputs of succeeded generations visible at the time `:now`; those of a character's training last as
 * long as the character. Needs the CTE `ended (id, status, fence, character_id, output_count)`; makes `published`.
 */
export const publishOutputsSql = `
  -- The outputs, which customers see from now on.
  published AS (
    UPDATE file SET stored_at = :now,
                    expires_at = CASE WHEN ended.character_id IS NULL THEN file.expires_at ELSE '${NEVER_EXPIRES}' END
    FROM ended
    WHERE ended.status = 'succeeded' AND file.generation_id = ended.id
      AND file.fence = ended.fence AND file.index < ended.output_count AND file.sha256 IS NOT NULL
    RETURNING file.*
  )`;

/**
 * SQL that hides the outputs of the generations `:ids` at the time `:now`, unless `:keeps_outputs`, so that their content and
 * rows can be removed; a character's outputs stay. Makes `hidden_output (id)`.
 */
export const eraseOutputsSql = `
  hidden_output AS (
    UPDATE file SET stored_at = NULL, expires_at = :now
    WHERE generation_id = ANY (:ids::uuid[]) AND NOT :keeps_outputs AND expires_at <> '${NEVER_EXPIRES}'
    RETURNING id
  )`;

/**
 * Returns SQL that lets the outputs of a character's training expire at a time. Needs the CTE `deleted_character (id)`; makes
 * `expiring_files`.
 */
export const expireOutputsSql = (at: string): string => `
  expiring_files AS (
    UPDATE file SET expires_at = ${at} FROM deleted_character JOIN generation g ON g.character_id = deleted_character.id
    WHERE file.generation_id = g.id AND file.expires_at = '${NEVER_EXPIRES}'
  )`;
