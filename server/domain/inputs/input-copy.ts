import type { Hub } from "../../context";
import { bytea, int8, notNull, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import { NEVER_EXPIRES } from "../files/never-expires";
import { fileColumns, type FileRow } from "../files/file";

/** The copies of a generation's external inputs, by URL. */
export type InputCopies = ReadonlyMap<string, FileRow>;

/** SQL for whether the generation `g` waits for external inputs. */
export const awaitsInputsSql = "g.status = 'queued' AND g.external_inputs IS NOT NULL AND g.inputs_ready_at IS NULL";

/** Returns the stored copies of a generation's external inputs, as files that last until it is settled. */
export async function findCopies(hub: Hub, generationId: string): Promise<InputCopies> {
  const rows = await selectCopies(hub.db, generationId);
  return new Map(rows.map(({ url, ...file }) => [url, file]));
}

/** Returns the copy with this id, of any account, or null. */
export async function findCopy(hub: Hub, id: string): Promise<FileRow | null> {
  const [row] = isId(id) ? await selectCopy(hub.db, id) : [];
  return row ?? null;
}

const storedSql = "c.stored_at IS NOT NULL AND g.settled_at IS NULL";
const selectCopySql = `
  SELECT c.id, g.account_id, c.generation_id, c.index, c.media_type, c.size, c.sha256, c.created_at,
         '${NEVER_EXPIRES}'::timestamptz AS expires_at, NULL::timestamptz AS removed_at, c.url
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
