import { array, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { refundUploadsSql } from "../accounts/account-sql";

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
    ${refundUploadsSql}`,
});
