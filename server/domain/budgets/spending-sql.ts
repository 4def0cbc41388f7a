import { MAX_BUDGETS } from "./max-budgets";
import { countedHashSql, isCoveredSql } from "./scope";
import { windowStartSql } from "./window";

const coveredSql = isCoveredSql("b.scope", {
  keyId: "c.key_id",
  personId: "c.person_id",
  metadata: "c.metadata",
  endUser: "c.end_user",
});

// LATERAL with LIMIT forces index lookups: a join would scan tables that are small or have no statistics (decision 8).

/** SQL for the row of `budget_spending` that the row `d` of a CTE names. */
const spendingSql = `
  SELECT reserved + charged AS spent FROM budget_spending
  WHERE budget_id = d.budget_id AND revision = d.revision AND starts_at = d.starts_at AND end_user_hash = d.end_user_hash LIMIT 1`;

/**
 * SQL for what the rows of the CTE `claim` take from budgets. Makes `budget_claim`, `budget_amount` and `over_budget
 * (account_id)`: the accounts with a budget that does not cover the sum of its claims.
 */
export const budgetAmountsSql = `
  -- The budgets that each claim counts against, in the window in which it was created.
  budget_claim AS (
    SELECT c.id, c.account_id, c.estimated_cost, b.id AS budget_id, b.revision, b.amount AS max,
           ${windowStartSql('b."window"', "c.created_at")} AS starts_at, ${countedHashSql("b.scope", "c.end_user_hash")} AS end_user_hash
    FROM claim c CROSS JOIN LATERAL (SELECT * FROM budget WHERE account_id = c.account_id LIMIT ${MAX_BUDGETS}) b
    WHERE ${coveredSql}
  ),
  budget_amount AS (
    SELECT account_id, budget_id, revision, max, starts_at, end_user_hash, sum(estimated_cost)::bigint AS amount
    FROM budget_claim GROUP BY 1, 2, 3, 4, 5, 6
  ),
  -- Accounts with a budget that would be exceeded, for which nothing is held.
  over_budget AS (
    SELECT account_id FROM budget_amount d LEFT JOIN LATERAL (${spendingSql}) s ON true WHERE amount + coalesce(spent, 0) > max
  )`;

/**
 * SQL that holds what claims take from budgets, and stores which rows each claim counts in. Needs `budgetAmountsSql` and `held
 * (account_id)`; the constraint `budget_spending_within_amount` decides if a concurrent statement has used a budget up.
 */
export const holdBudgetsSql = `
  -- The holds of the budgets.
  budget_held AS (
    INSERT INTO budget_spending AS s (budget_id, revision, starts_at, end_user_hash, amount, reserved, charged, earlier)
    SELECT budget_id, revision, starts_at, end_user_hash, max, amount, 0, 0 FROM budget_amount JOIN held USING (account_id)
    ON CONFLICT (budget_id, revision, starts_at, end_user_hash)
    DO UPDATE SET reserved = s.reserved + excluded.reserved, amount = excluded.amount
    RETURNING id, budget_id, starts_at, end_user_hash
  ),
  -- What each claim counts in, also once its budget has another scope or window.
  budgeted AS (
    INSERT INTO generation_budget (generation_id, spending_ids)
    SELECT c.id, array_agg(h.id) FROM budget_claim c JOIN budget_held h USING (budget_id, starts_at, end_user_hash) GROUP BY 1
  )`;

/** SQL that settles the rows of `ended JOIN paid` in the budgets against which they were held. Makes `budget_paid`. */
export const payBudgetsSql = `
  -- The budgets, in the rows that were fixed at the hold. A row that was removed since is not found.
  budget_paid AS (
    UPDATE budget_spending s SET reserved = s.reserved - sums.released, charged = s.charged + sums.charged
    FROM (
      SELECT spending.id, sum(estimated_cost)::bigint AS released, sum(charge)::bigint AS charged
      FROM ended JOIN paid USING (account_id)
      CROSS JOIN LATERAL (SELECT spending_ids FROM generation_budget WHERE generation_id = ended.id LIMIT 1) b
      CROSS JOIN LATERAL unnest(b.spending_ids) AS spending (id)
      -- The condition always holds and shows the planner that there are few rows.
      WHERE spending.id BETWEEN 1 AND 9223372036854775807
      GROUP BY 1
    ) sums
    WHERE s.id = sums.id
  )`;
