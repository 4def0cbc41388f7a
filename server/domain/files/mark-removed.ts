import { refundUploadsSql } from "../accounts/account-sql";

/**
 * SQL that marks the files `$1` as removed at `$2` and returns the size of uploads to the account's quota. Files that are
 * already marked are skipped, so the quota is refunded once.
 */
export const markRemovedSql = `
  WITH removed AS (
    UPDATE file SET removed_at = $2 WHERE id = ANY ($1::uuid[]) AND removed_at IS NULL
    RETURNING account_id, generation_id, size
  ),${refundUploadsSql}`;
