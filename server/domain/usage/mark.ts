import { int4, int8 } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Inserts the mark of the account `$1`, if it has none. */
export const insertMark = statement({
  params: [int4],
  row: {},
  text: "INSERT INTO usage_mark (account_id, entry_id) VALUES ($1, 0) ON CONFLICT DO NOTHING",
});

/** Locks the mark of the account `$1`, so that its sums and its labels do not change at the same time. */
export const lockMark = statement({
  params: [int4],
  row: { entry_id: int8 },
  text: "SELECT entry_id FROM usage_mark WHERE account_id = $1 FOR UPDATE",
});

/** Moves the mark of the account `$1` to the last ledger entry that its sums include. */
export const moveMark = statement({
  params: [int4, int8],
  row: {},
  text: "UPDATE usage_mark SET entry_id = $2 WHERE account_id = $1",
});
