import { type Form, reserveAmountsSql } from "../accounts/sql";
import { budgetAmountsSql, holdBudgetsSql } from "../budgets/sql";
import { periodSql } from "../keys/sql";

/**
 * Returns SQL that holds the estimates of the CTE `claim (id, account_id, key_id, person_id, metadata, end_user, estimated_cost,
 * created_at)` against the accounts' balances, the keys' spend limits and the budgets. Defines the CTE `held (account_id,
 * follows_events)`: the accounts whose balance, keys and budgets cover the sum of all their claims; for other accounts nothing
 * is held. Accounts are locked in the order of their ids, so that concurrent statements never deadlock; rows of keys and
 * budgets are written only under their account's lock.
 *
 * `over_limit` and `over_budget` read the spending from the statement's snapshot. If a concurrent statement has used up a limit
 * since, one of `spendingConstraints` makes this statement fail as a whole. The short forms need `claim.limits_version`.
 */
export const holdSql = (form: Form): string => `
  ${form === "full" ? keyAmountsSql : ""}
  ${form === "plain" ? "" : `${budgetAmountsSql},`}
  -- What the claims take of each account, without those whose limits do not cover theirs.
  account_amount AS (
    SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim ${coveredSql[form]}
    GROUP BY account_id
  ),
  ${reserveAmountsSql(form)}
  ${form === "full" ? holdKeysSql : ""}
  ${form === "plain" ? "" : `, ${holdBudgetsSql}`}`;

/** The constraints that a hold above a key's spend limit or a budget violates. */
export const spendingConstraints = ["key_spending_within_limit", "budget_spending_within_amount"];

const coveredSql: Record<Form, string> = {
  full: "WHERE account_id NOT IN (SELECT account_id FROM over_limit UNION ALL SELECT account_id FROM over_budget)",
  budgets: "WHERE account_id NOT IN (SELECT account_id FROM over_budget)",
  plain: "",
};

const keyAmountsSql = `
  -- What the claims take of the spend limits of keys.
  key_amount AS (
    SELECT c.account_id, k.id AS key_id, k.spend_limit, ${periodSql("k.spend_limit_reset", "c.created_at")} AS period,
           sum(c.estimated_cost)::bigint AS amount
    FROM claim c JOIN api_key k ON k.id = c.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2, 3, 4
  ),
  -- Accounts with a key whose limit would be exceeded, for which nothing is held.
  over_limit AS (
    SELECT d.account_id FROM key_amount d LEFT JOIN key_spending s ON s.key_id = d.key_id AND s.period = d.period
    WHERE d.amount + coalesce(s.reserved + s.charged, 0) > d.spend_limit
  ),`;

const holdKeysSql = `,
  -- The holds of the keys.
  key_held AS (
    INSERT INTO key_spending AS s (key_id, period, spend_limit, reserved, charged)
    SELECT key_id, period, spend_limit, amount, 0 FROM key_amount JOIN held USING (account_id)
    ON CONFLICT (key_id, period) DO UPDATE SET reserved = s.reserved + excluded.reserved
  )`;
