import { queryHub } from "./query-hub";

const DAYS = 30;
const CREDIT_NANO = 40_000_000_000;

// Two to six charges on most days, oldest first. The version and variant of the ids are those of a UUID.
const insertSql = `
  WITH owner AS (SELECT id FROM account WHERE email = $1),
  charged AS (
    SELECT row_number() OVER (ORDER BY day DESC, n) AS place, owner.id AS account_id,
           date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - day * interval '1 day' + n * interval '1 second' AS t,
           CASE n % 3 WHEN 0 THEN 'sandbox-text' ELSE 'sandbox-image' END AS model,
           (9200000 * (1 + (day * 7 + n * 3) % 23))::bigint AS cost
    FROM owner, generate_series(0, $2::int - 1) day, generate_series(1, 2 + (day * 3) % 5) n WHERE day % 6 <> 5
  ),
  made AS (
    SELECT *, (lpad(to_hex((extract(epoch FROM t) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(account_id * 1000::bigint + place), 12, '0'))::uuid AS id,
           $3::bigint - sum(cost) OVER (ORDER BY place) AS balance
    FROM charged
  ),
  generations AS (
    INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                            progress, timeout_seconds, created_at, started_at, completed_at, settled_at)
    SELECT id, account_id, model, false, 'succeeded', jsonb_build_object('prompt', 'A boat, number ' || place), cost, cost,
           '{}', 'sandbox', 1, 60, t, t, t, t FROM made ORDER BY place
  ),
  totals AS (
    INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
    SELECT account_id, '00000000-0000-0000-0000-000000000000', model, false, 'succeeded', sum(cost) FROM made GROUP BY account_id, model
  ),
  entries AS (
    INSERT INTO ledger_entry (account_id, kind, amount, balance_after, generation_id, note, created_at)
    SELECT account_id, kind, amount, balance, generation_id, note, t FROM (
      SELECT 0 AS place, id AS account_id, 'credit' AS kind, $3::bigint AS amount, $3::bigint AS balance, NULL::uuid AS generation_id,
             'Invoice 2026-114' AS note, now() - $2::int * interval '1 day' AS t FROM owner
      UNION ALL SELECT place, account_id, 'charge', -cost, balance, id, NULL, t FROM made
    ) all_entries ORDER BY place
  )
  UPDATE account SET balance = (SELECT min(balance) FROM made) FROM owner WHERE account.id = owner.id`;

/** Gives an account without entries a credit of €40 and charges on most of the last thirty days. */
export async function seedSpend(dataDir: string, email: string): Promise<void> {
  await queryHub(dataDir, insertSql, [email, DAYS, CREDIT_NANO]);
}
