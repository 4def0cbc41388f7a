-- Its final state. A chat without an answer frees its idempotency key, because clients retry it with the same one.
WITH ended AS (
  UPDATE generation g SET
    status = ending."to", error = ending.error, completed_at = :now, settled_at = :now,
    progress = CASE WHEN ending."to" = 'succeeded' THEN 1 ELSE g.progress END,
    idempotency_key = CASE WHEN NOT (g.is_llm AND (ending."to" = 'failed' OR ending."to" = 'canceled' AND ending.answer IS NULL)) THEN g.idempotency_key END,
    request_digest = CASE WHEN g.joinable_at IS NOT NULL THEN g.request_digest END,
    stored_answer = CASE WHEN g.idempotency_key IS NOT NULL OR g.joinable_at IS NOT NULL
      THEN coalesce(ending.answer, g.stored_answer) END,
    input_tokens = ending.input_tokens, output_tokens = ending.output_tokens, token_classes = ending.token_classes,
    billed_cost = greatest(least(ending.cost, g.estimated_cost) - coalesce((g.price ->> 'already_paid')::bigint, 0), 0),
    excess_cost = greatest(ending.cost - g.estimated_cost, 0)
  FROM (SELECT :to::text AS "to", :cost::bigint AS cost, :error::jsonb AS error, :answer::text AS answer,
    :input_tokens::int AS input_tokens, :output_tokens::int AS output_tokens, :token_classes::jsonb AS token_classes) ending
  WHERE g.id = :id AND g.is_llm AND g.status = 'running'
  RETURNING g.id, g.account_id, g.key_id, g.model, g.is_llm, g.status, g.estimated_cost, g.billed_cost, g.excess_cost,
            g.started_at, g.completed_at, coalesce(g.billed_cost, 0) AS charge
),
-- The account, unless its limits have changed or it follows events by now.
locked_account AS MATERIALIZED (
  SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
  WHERE id = (SELECT account_id FROM ended) FOR UPDATE
),
-- The balance after the charge. What paid credit becomes available pays the debt first (decision 60).
paid AS (
  UPDATE account SET reserved = locked_account.reserved - sums.released,
                     balance = locked_account.balance - sums.charged - least(locked_account.owed, greatest(locked_account.balance - sums.charged - greatest(locked_account.promotional - sums.charged, 0) - locked_account.reserved + sums.released, 0)),
                     owed = locked_account.owed - least(locked_account.owed, greatest(locked_account.balance - sums.charged - greatest(locked_account.promotional - sums.charged, 0) - locked_account.reserved + sums.released, 0)),
                     promotional = greatest(locked_account.promotional - sums.charged, 0)
  FROM locked_account, (SELECT estimated_cost AS released, charge AS charged FROM ended) sums
  WHERE account.id = locked_account.id AND CASE WHEN locked_account.key_limits_version <> :limits_version OR locked_account.follows_events
       THEN reject_changed_account() ELSE true END
  RETURNING account.id AS account_id, locked_account.balance AS balance_before,
            locked_account.promotional AS promotional_before, account.balance,
            locked_account.owed - account.owed AS repaid
),
-- The ledger entries, in the order of the charges; the repayment is the last.
entry AS (
  INSERT INTO ledger_entry (account_id, kind, amount, promotional, balance_after, generation_id, created_at)
  SELECT account_id, kind, amount, promotional, balance_after, generation_id, :now FROM (
    SELECT account_id, 'charge' AS kind, -charge AS amount, -least(charge, promotional_before) AS promotional,
           balance_before - charge AS balance_after, id AS generation_id
    FROM ended JOIN paid USING (account_id) WHERE charge > 0
    UNION ALL
    SELECT account_id, 'repayment', -repaid, 0, balance, NULL FROM paid WHERE repaid > 0
  ) item
  ORDER BY generation_id NULLS LAST
),
-- The totals that the list of generations shows.
total AS (
  INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
  SELECT account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'), model, is_llm, status, charge FROM ended JOIN paid USING (account_id)
  WHERE charge > 0
  ON CONFLICT (account_id, key_id, model, is_llm, status) DO UPDATE SET billed = billing_total.billed + excluded.billed
),
-- The attempts, which have all ended.
new_attempt AS (
  INSERT INTO attempt (generation_id, n, route, provider, reason, started_at, ended_at, outcome, upstream_id, upstream_status, cost, passed_over, cause, first_token_ms)
  SELECT item.id, item.n, item.route, item.provider, item.reason, item.started_at, item.ended_at, item.outcome,
         item.upstream_id, item.upstream_status, item.cost, item.passed_over, item.cause, item.first_token_ms
  FROM ended JOIN json_to_recordset(:attempts::json) AS item (
    id uuid, n int, route text, provider text, reason text, started_at timestamptz, ended_at timestamptz, outcome text,
    upstream_id text, upstream_status int, cost bigint, passed_over jsonb, held text, cause text, first_token_ms int) USING (id) WHERE item.held IS NULL
)
SELECT id, model, status, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
       NULL::json AS deliveries, NULL::text AS limited_provider, CASE WHEN NOT :is_durable THEN set_config('synchronous_commit', 'off', true) END AS commits_async
FROM ended
