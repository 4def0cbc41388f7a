import { array, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { DirectAccess } from "../../storage/storage";
import { refundUploadsSql } from "../accounts/sql";
import type { FilesHub } from "./hub";

/** Ends direct uploads: removes their staged content, then their rows, which frees the quota of those without a file. */
async function endDirectUploads(hub: FilesHub, direct: DirectAccess, ids: string[]): Promise<void> {
  const ended: string[] = [];
  for (const id of ids) {
    try {
      await direct.removeStaged(id);
      ended.push(id);
    } catch (error) {
      hub.log.warn({ err: error, upload: id }, "staged content not removed");
    }
  }
  if (ended.length > 0) await deleteUploads(hub.db, ended);
}

/** Ends at most `limit` direct uploads that have expired. Returns how many were found. */
export async function expireDirectUploads(hub: FilesHub, limit: number): Promise<number> {
  const { direct } = hub.storage;
  if (!direct) return 0;
  const due = await selectDue(hub.db, hub.now(), limit);
  const ids = due.map(({ id }) => id);
  await endDirectUploads(hub, direct, ids);
  return ids.length;
}

const selectDue = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: "SELECT id FROM direct_upload WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2",
});

// Two processes that end the same upload free its quota once, because only one deletes the row.
const deleteUploads = statement({
  params: [array(uuid)],
  row: {},
  text: `
    WITH removed AS (
      DELETE FROM direct_upload WHERE id = ANY ($1::uuid[])
      RETURNING account_id, NULL::uuid AS generation_id, CASE WHEN file_id IS NULL THEN size ELSE 0 END AS size
    ),
    ${refundUploadsSql}`,
});
