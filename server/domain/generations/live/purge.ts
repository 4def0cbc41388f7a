import type { HubParts } from "../../../context";
import { int8Number, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";

/** Removes the previews and log lines of up to `limit` generations that do not run any more. Returns how many generations. */
export async function purgeLive({ db }: Pick<HubParts, "db">, limit: number): Promise<number> {
  const previews = await deletePreviews(db, limit);
  const lines = await deleteLines(db, limit);
  return Math.max(previews.length, new Set(lines.map(({ generation_id }) => generation_id)).size);
}

const deleteSql = (table: string) => `
  DELETE FROM ${table} WHERE generation_id = ANY (ARRAY(
    SELECT DISTINCT live.generation_id FROM ${table} live JOIN generation g ON g.id = live.generation_id
    WHERE g.status <> 'running' LIMIT $1))
  RETURNING generation_id`;

const deletePreviews = statement({
  params: [int8Number],
  row: { generation_id: uuid },
  text: deleteSql("generation_preview"),
});

const deleteLines = statement({
  params: [int8Number],
  row: { generation_id: uuid },
  text: deleteSql("generation_log"),
});
