import { periodSql } from "../keys/period";

/**
 * SQL: takes the estimates of the CTE `claim (account_id, key_id, estimated_cost, created_at)` out of the accounts'
 * available balance, and out of what their keys may spend. Makes the CTE `held (account_id, follows_events)`: the accounts that cover
 * the whole sum of their claims and whose keys all do; from the others nothing is taken. Accounts are locked in the
 * order of their ids, so that concurrent statements never wait in a circle; rows of a key are written only under the
 * lock of its account.
 *
 * `beyond` sees what keys have spent as the statement's snapshot has it. A claim that passes it although another
 * statement has just spent the rest violates `key_spending_within_limit`, and everything is undone.
 */
export const holdSql = `
  key_due AS (
    SELECT c.account_id, k.id AS key_id, k.spend_limit, ${periodSql("k.spend_limit_reset", "c.created_at")} AS period,
           sum(c.estimated_cost)::bigint AS amount
    FROM claim c JOIN api_key k ON k.id = c.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2, 3, 4
  ),
  beyond AS (
    SELECT d.account_id FROM key_due d LEFT JOIN key_spending s ON s.key_id = d.key_id AND s.period = d.period
    WHERE d.amount + coalesce(s.reserved + s.charged, 0) > d.spend_limit
  ),
  due AS (
    SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim
    WHERE account_id NOT IN (SELECT account_id FROM beyond) GROUP BY account_id
  ),
  locked_account AS MATERIALIZED (
    SELECT id FROM account WHERE id IN (SELECT account_id FROM due) ORDER BY id FOR NO KEY UPDATE
  ),
  held AS (
    UPDATE account SET reserved = account.reserved + due.amount
    FROM due JOIN locked_account ON locked_account.id = due.account_id
    WHERE account.id = due.account_id AND account.balance - account.reserved >= due.amount
    RETURNING account.id AS account_id, account.follows_events
  ),
  key_held AS (
    INSERT INTO key_spending AS s (key_id, period, spend_limit, reserved, charged)
    SELECT key_id, period, spend_limit, amount, 0 FROM key_due JOIN held USING (account_id)
    ON CONFLICT (key_id, period) DO UPDATE SET reserved = s.reserved + excluded.reserved
  )`;
