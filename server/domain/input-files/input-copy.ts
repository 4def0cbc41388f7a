import { bytea, int4, int8, int8Number, notNull, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { type FileRow, NEVER_EXPIRES } from "../files";
import { fileColumns } from "../files/sql";
import type { InputFilesHub } from "./hub";

/** The copies of a generation's external inputs, by URL. */
export type InputCopies = ReadonlyMap<string, FileRow>;

/** SQL for whether the generation `g` waits for external inputs. */
export const awaitsInputsSql = "g.status = 'queued' AND g.external_inputs IS NOT NULL AND g.inputs_ready_at IS NULL";

/** Returns the stored copies of a generation's external inputs, as files that last until it is settled. */
export const findCopies = async (hub: InputFilesHub, generationId: string): Promise<InputCopies> =>
  new Map((await selectCopies(hub.db, generationId)).map(({ url, ...file }) => [url, file]));

/** Returns the copy with this id, of any account, or null. */
export const findCopy = async (hub: InputFilesHub, id: string): Promise<FileRow | null> =>
  isId(id) ? ((await selectCopy(hub.db, id))[0] ?? null) : null;

const storedSql = "c.stored_at IS NOT NULL AND g.settled_at IS NULL";
const selectCopySql = `
  SELECT c.id, g.account_id, c.generation_id, c.index, c.media_type, NULL::text AS name, c.size, c.sha256, c.created_at,
         '${NEVER_EXPIRES}'::timestamptz AS expires_at, NULL::timestamptz AS removed_at, NULL::text AS mark, c.url
  FROM input_copy c JOIN generation g ON g.id = c.generation_id`;

const copyColumns = {
  ...fileColumns,
  media_type: notNull(text),
  size: notNull(int8),
  sha256: notNull(bytea),
  url: text,
};

const selectCopies = statement({
  params: [uuid],
  row: copyColumns,
  text: `${selectCopySql} WHERE c.generation_id = $1 AND ${storedSql}`,
});

const selectCopy = statement({
  params: [uuid],
  row: copyColumns,
  text: `${selectCopySql} WHERE c.id = $1 AND ${storedSql}`,
});

/** Inserts the missing copies of a generation that waits for external inputs. Returns its id; nothing if it does not wait. */
export const createCopies = statement({
  params: [uuid, timestamptz],
  row: { id: uuid },
  text: `
  WITH waiting AS (SELECT g.id, g.external_inputs FROM generation g WHERE g.id = $1 AND ${awaitsInputsSql}),
  created AS (
    INSERT INTO input_copy (id, generation_id, index, url, created_at)
    SELECT gen_random_uuid(), waiting.id, n - 1, url, $2
    FROM waiting, jsonb_array_elements_text(waiting.external_inputs) WITH ORDINALITY AS input (url, n)
    ON CONFLICT (generation_id, index) DO NOTHING
  )
  SELECT id FROM waiting`,
});

const claimedColumns = { id: uuid, url: text, attempts: int4 };
/** A copy that one run fetches. */
export type ClaimedCopy = RowOf<typeof claimedColumns>;

/** Claims the first missing copy of the generation `$1` until `$3`; claims that expired by `$2` are free. */
export const claimCopy = statement({
  params: [uuid, timestamptz, timestamptz],
  row: claimedColumns,
  text: `
  UPDATE input_copy SET attempts = attempts + 1, claimed_until = $3 WHERE id = (
    SELECT id FROM input_copy
    WHERE generation_id = $1 AND stored_at IS NULL AND (claimed_until IS NULL OR claimed_until <= $2)
    ORDER BY index LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, url, attempts`,
});

/** Ends the claim of a copy, so that it is fetched again. */
export const endClaim = statement({
  params: [uuid],
  row: {},
  text: "UPDATE input_copy SET claimed_until = NULL WHERE id = $1",
});

/** Records the content of a copy. Returns nothing when the row was deleted meanwhile. */
export const recordCopy = statement({
  params: [uuid, int8Number, bytea, text, timestamptz],
  row: { id: uuid },
  text: `
  UPDATE input_copy SET size = $2, sha256 = $3, media_type = $4, stored_at = $5 WHERE id = $1
  RETURNING id`,
});
