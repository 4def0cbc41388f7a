import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, int8, jsonText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Nano } from "../../lib/money";
import { unsettledStatesSql } from "../accounts/sql";
import { CLOCK_MARGIN } from "../budgets/sql";
import { periodSql } from "../keys/sql";
import type { SpendReset } from "../keys";
import type { LedgerHub } from "./hub";

/** What a key was charged by period, up to a ledger entry of its account. */
export interface Charges {
  periods: { period: string; charged: Nano }[];
  upTo: bigint;
}

const OPEN = `status IN (${unsettledStatesSql})`;
const generationSql = "SELECT key_id, created_at FROM generation WHERE id = e.generation_id LIMIT 1";

/** Returns what a key was charged in the current period of `reset`, and in those of its unsettled generations. */
export async function sumCharges({ hub, account }: Ctx<LedgerHub>, keyId: string, reset: SpendReset): Promise<Charges> {
  const rows = await selectCharges(hub.db, account.id, keyId, reset, hub.now());
  return { periods: rows.map(({ period, charged }) => ({ period, charged })), upTo: rows[0]!.up_to };
}

const selectCharges = statement({
  params: [int4, uuid, nullable(text), timestamptz],
  row: { period: text, charged: int8, up_to: int8 },
  isLong: true,
  text: `
    WITH wanted AS (
      SELECT ${periodSql("$3::text", "$4::timestamptz")} AS period
      UNION SELECT ${periodSql("$3::text", "created_at")} FROM generation WHERE account_id = $1 AND ${OPEN} AND key_id = $2
    ),
    charge AS (
      SELECT DATE '1970-01-01' AS period, billed AS cost FROM billing_total
      WHERE account_id = $1 AND key_id = $2 AND $3::text IS NULL
      UNION ALL
      SELECT ${periodSql("$3::text", "g.created_at")}, -e.amount FROM ledger_entry e CROSS JOIN LATERAL (${generationSql}) g
      WHERE $3::text IS NOT NULL AND e.account_id = $1 AND e.kind = 'charge' AND g.key_id = $2
        AND e.created_at >= ((SELECT min(period) FROM wanted)::timestamp AT TIME ZONE 'UTC') - ${CLOCK_MARGIN}
    )
    SELECT period::text, coalesce(sum(cost), 0)::bigint AS charged,
           (SELECT coalesce(max(id), 0) FROM ledger_entry WHERE account_id = $1) AS up_to
    FROM wanted LEFT JOIN charge USING (period) GROUP BY period`,
});

interface NewSpending {
  accountId: number;
  keyId: string;
  limit: Nano;
  reset: SpendReset;
  charges: Charges;
}

/** Inserts what a key has spent: its charges, those booked since they were summed, and its holds. */
export const insertSpending = (tx: Queryable, { accountId, keyId, limit, reset, charges }: NewSpending) => {
  const periods = charges.periods.map(({ period, charged }) => ({ period, charged: String(charged) }));
  return insertRows(tx, accountId, keyId, reset, JSON.stringify(periods), charges.upTo, limit);
};

// No row may spend more than its limit, so a key that has spent more begins with that amount as its limit.
const insertRows = statement({
  params: [int4, uuid, nullable(text), jsonText, int8, int8],
  row: {},
  text: `
    WITH part AS (
      SELECT period, charged, 0 AS reserved FROM json_to_recordset($4::json) AS row (period date, charged bigint)
      UNION ALL
      SELECT ${periodSql("$3::text", "g.created_at")}, -e.amount, 0
      FROM ledger_entry e CROSS JOIN LATERAL (${generationSql}) g
      WHERE e.account_id = $1 AND e.kind = 'charge' AND e.id > $5 AND g.key_id = $2
      UNION ALL
      SELECT ${periodSql("$3::text", "created_at")}, 0, estimated_cost
      FROM generation WHERE account_id = $1 AND ${OPEN} AND key_id = $2
    ),
    total AS (SELECT period, sum(reserved)::bigint AS reserved, sum(charged)::bigint AS charged FROM part GROUP BY period)
    INSERT INTO key_spending (key_id, period, spend_limit, reserved, charged)
    SELECT $2, period, greatest($6::bigint, reserved + charged), reserved, charged FROM total`,
});

/** Sets the limit of all periods of a key. */
export const setSpendLimit = statement({
  params: [uuid, int8],
  row: {},
  text: "UPDATE key_spending SET spend_limit = $2 WHERE key_id = $1",
});

/** Deletes what a key has spent, when its limit is removed or the spending is summed again. */
export const deleteSpending = statement({
  params: [uuid],
  row: {},
  text: "DELETE FROM key_spending WHERE key_id = $1",
});
