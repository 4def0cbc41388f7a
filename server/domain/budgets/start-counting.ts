import type { Queryable } from "../../db/client";
import { bytea, int4, int8, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { beginKeyLimitChange } from "../accounts";
import { unsettledStatesSql } from "../accounts/sql";
import { getEndUserPads } from "../labels";
import { endUserHashSql } from "../labels/sql";
import type { BudgetsHub } from "./hub";
import { countedHashSql, isCoveredSql } from "./scope";
import { CLOCK_MARGIN, windowStartSql } from "./window";

/**
 * Counts what the current window of a budget has already spent and holds, in the transaction that inserted the budget or
 * changed its window or scope. Charges are summed before the account is locked, because a month can have many; those that
 * follow are added under the lock. Unsettled generations count from now on, as if they had been held against the budget.
 * Generations whose end user or metadata were erased are not counted.
 */
export async function startCounting(
  tx: Queryable,
  hub: BudgetsHub,
  { accountId, budgetId, now }: { accountId: number; budgetId: string; now: Date },
): Promise<void> {
  const target = { budget: budgetId, account: accountId, now, ...getEndUserPads(hub) };
  const [counted] = await countCharges(tx, target);
  // Later statements of this transaction see everything that was booked on the account before.
  await beginKeyLimitChange(tx, accountId);
  await countRest(tx, { ...target, up_to: counted!.up_to });
}

// Times of entries are inexact, because the clocks of processes differ and an entry waits for its account's lock.

const budgetSql = `
  b AS (
    SELECT id, revision, amount, "window", scope, ${windowStartSql('"window"', ":now::timestamptz")} AS since
    FROM budget WHERE id = :budget AND account_id = :account
  )`;

/** SQL for the window and the hash of the end user of the generation `g` in the budget `b`. */
const windowColumnsSql = `
  ${windowStartSql('b."window"', "g.created_at")} AS starts_at, ${countedHashSql("b.scope", endUserHashSql("g.account_id", "g.end_user"))} AS end_user_hash`;

const coveredSql = isCoveredSql("b.scope", {
  keyId: "g.key_id",
  personId: "g.person_id",
  metadata: "g.metadata",
  endUser: "g.end_user",
});

const chargesSql = (columns: string, condition: string) => `
  SELECT ${windowColumnsSql}, ${columns}
  FROM b CROSS JOIN ledger_entry e CROSS JOIN LATERAL (
    SELECT id, account_id, key_id, person_id, metadata, end_user, created_at FROM generation WHERE id = e.generation_id LIMIT 1
  ) g
  WHERE e.account_id = :account AND e.kind = 'charge' AND ${condition} AND g.created_at >= b.since AND ${coveredSql}`;

const params = { budget: uuid, account: int4, now: timestamptz, inner_pad: bytea, outer_pad: bytea };

const countCharges = statement({
  params,
  row: { up_to: int8 },
  isLong: true,
  text: `
    WITH ${budgetSql},
    charge AS (${chargesSql("-e.amount AS charged", `e.created_at >= b.since - ${CLOCK_MARGIN}`)}),
    total AS (SELECT starts_at, end_user_hash, sum(charged)::bigint AS charged FROM charge GROUP BY 1, 2),
    counted AS (
      INSERT INTO budget_spending (budget_id, revision, starts_at, end_user_hash, amount, reserved, charged, earlier)
      SELECT b.id, b.revision, starts_at, end_user_hash, greatest(b.amount, charged), 0, charged, charged FROM b CROSS JOIN total
    )
    SELECT coalesce(max(id), 0) AS up_to FROM ledger_entry WHERE account_id = :account`,
});

// A row's spending must not exceed its amount, so a row that begins with more spending has that as its amount.
const countRest = statement({
  params: { ...params, up_to: int8 },
  row: {},
  text: `
    WITH ${budgetSql},
    part AS (
      ${chargesSql("NULL::uuid AS id, -e.amount AS charged, 0::bigint AS reserved", "e.id > :up_to")}
      UNION ALL
      SELECT ${windowColumnsSql}, g.id, 0, g.estimated_cost
      FROM b CROSS JOIN generation g
      WHERE g.account_id = :account AND g.status IN (${unsettledStatesSql}) AND g.created_at >= b.since AND ${coveredSql}
    ),
    total AS (
      SELECT starts_at, end_user_hash, sum(charged)::bigint AS charged, sum(reserved)::bigint AS reserved FROM part GROUP BY 1, 2
    ),
    counted AS (
      INSERT INTO budget_spending AS s (budget_id, revision, starts_at, end_user_hash, amount, reserved, charged, earlier)
      SELECT b.id, b.revision, starts_at, end_user_hash, greatest(b.amount, charged + reserved), reserved, charged, charged
      FROM b CROSS JOIN total
      ON CONFLICT (budget_id, revision, starts_at, end_user_hash) DO UPDATE SET
        amount = greatest(s.amount, s.charged + excluded.charged + excluded.reserved), reserved = excluded.reserved,
        charged = s.charged + excluded.charged, earlier = s.earlier + excluded.earlier
      RETURNING id, starts_at, end_user_hash
    )
    INSERT INTO generation_budget AS g (generation_id, spending_ids)
    SELECT part.id, ARRAY[counted.id] FROM part JOIN counted USING (starts_at, end_user_hash) WHERE part.id IS NOT NULL
    ON CONFLICT (generation_id) DO UPDATE SET spending_ids = g.spending_ids || excluded.spending_ids`,
});
