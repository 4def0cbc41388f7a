/** SQL: notes at `$2` that the content of the files `$1` has been removed; once, so that what an upload took of its quota comes back once. */
export const markRemovedSql = `
  WITH gone AS (
    UPDATE file SET removed_at = $2 WHERE id = ANY ($1::uuid[]) AND removed_at IS NULL
    RETURNING account_id, generation_id, size
  ),
  freed AS (SELECT account_id, sum(size)::bigint AS bytes FROM gone WHERE generation_id IS NULL GROUP BY account_id),
  locked AS MATERIALIZED (
    SELECT id, upload_bytes FROM account WHERE id IN (SELECT account_id FROM freed) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE account SET upload_bytes = locked.upload_bytes - freed.bytes
  FROM locked JOIN freed ON freed.account_id = locked.id WHERE account.id = locked.id`;
