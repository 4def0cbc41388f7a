import { int8Number, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Stops logging the changes of accounts (at most `$2`) that no stream has followed since the time `$1`. */
export const forgetFollowers = statement({
  params: [timestamptz, int8Number],
  row: {},
  text: `
    UPDATE account SET changes_read_at = NULL WHERE id IN (
      SELECT id FROM account WHERE changes_read_at < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
});
