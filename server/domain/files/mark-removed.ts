import { array, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";

/**
 * Marks these files as removed at this time and returns the size of uploads to the account's quota. Files that are
 * already marked are skipped, so the quota is refunded once.
 */
export const markRemoved = statement({
  params: [array(uuid), timestamptz],
  row: {},
  text: `
    WITH removed AS (
      UPDATE file SET removed_at = $2 WHERE id = ANY ($1::uuid[]) AND removed_at IS NULL
      RETURNING account_id, generation_id, size
    ),
    freed AS (SELECT account_id, sum(size)::bigint AS bytes FROM removed WHERE generation_id IS NULL GROUP BY account_id),
    locked AS MATERIALIZED (
      SELECT id, upload_bytes FROM account WHERE id IN (SELECT account_id FROM freed) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE account SET upload_bytes = locked.upload_bytes - freed.bytes
    FROM locked JOIN freed ON freed.account_id = locked.id WHERE account.id = locked.id`,
});
