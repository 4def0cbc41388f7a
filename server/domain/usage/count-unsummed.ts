import { int4, int8, int8Number, notNull } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { UsageHub } from "./hub";

/** Returns how many settlements of an account, or of all, are not in the sums yet; counts up to `max` + 1 of each kind. */
export async function countUnsummed({ db }: UsageHub, accountId: number | null, max: number): Promise<number> {
  const [row] = await (accountId === null ? countOfAll(db, max + 1) : countOfAccount(db, max + 1, accountId));
  return Number(row!.count);
}

// ORDER BY leaves the planner only the index. It estimates that a third of all entries are above the mark, and would scan
// them.
const unsummedSql = (accounts: string, isCounted: string) => `
  SELECT (SELECT count(*) FROM (
            SELECT FROM ${accounts} CROSS JOIN LATERAL (
              SELECT FROM ledger_entry
              WHERE account_id = a.id AND kind = 'charge'
                AND id > coalesce((SELECT entry_id FROM usage_mark m WHERE m.account_id = a.id), 0)
              ORDER BY account_id, id LIMIT $1
            ) e LIMIT $1
          ) charge)
       + (SELECT count(*) FROM (SELECT FROM uncharged_settlement WHERE NOT is_summed AND ${isCounted} LIMIT $1) other) AS count`;

const countOfAccount = statement({
  params: [int8Number, int4],
  row: { count: notNull(int8) },
  text: unsummedSql("(SELECT $2::int AS id) a", "account_id = $2"),
});

const countOfAll = statement({
  params: [int8Number],
  row: { count: notNull(int8) },
  text: unsummedSql("account a", "true"),
});
