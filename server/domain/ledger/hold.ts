/**
 * SQL: takes the estimates of the CTE `claim (account_id, estimated_cost)` out of the accounts' available balance.
 * Makes the CTE `held (account_id)`: the accounts that cover the whole sum of their claims; from the others nothing
 * is taken. Accounts are locked in the order of their ids, so that concurrent statements never wait in a circle.
 */
export const holdSql = `
  due AS (SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim GROUP BY account_id),
  locked_account AS MATERIALIZED (
    SELECT id FROM account WHERE id IN (SELECT account_id FROM due) ORDER BY id FOR NO KEY UPDATE
  ),
  held AS (
    UPDATE account SET reserved = account.reserved + due.amount
    FROM due JOIN locked_account ON locked_account.id = due.account_id
    WHERE account.id = due.account_id AND account.balance - account.reserved >= due.amount
    RETURNING account.id AS account_id
  )`;
