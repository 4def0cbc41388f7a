-- The condition always holds. It shows the planner that there are few rows: it would scan whole tables while these
-- have no statistics (decision 8).
WITH ending AS (
  SELECT * FROM json_to_recordset(:endings::json) AS row (
    id uuid, "to" text, cost bigint, error jsonb, answer text, input_tokens int, output_tokens int, token_classes jsonb, reply text, limits_version int)
  WHERE "to" IN ('succeeded', 'failed', 'canceled') AND cost >= 0
),
-- The generations that may still end.
locked AS MATERIALIZED (
  SELECT g.id, g.status AS was FROM generation g JOIN ending ON ending.id = g.id
  WHERE g.is_llm AND g.status = 'running'
  ORDER BY g.id FOR NO KEY UPDATE OF g
),
-- Their final state. A chat without an answer frees its idempotency key, because clients retry it with the same one.
ended AS (
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
  FROM locked JOIN ending ON ending.id = locked.id
  WHERE g.id = locked.id
  RETURNING g.id, g.model, g.is_llm, g.status, g.input, g.estimated_cost, g.billed_cost, g.provider, g.batch_id, g.priority, g.metadata, g.end_user, g.progress, g.error, g.created_at, g.erased_at, g.started_at, g.completed_at, g.input_tokens, g.output_tokens, g.token_classes, g.account_id, g.key_id, g.price, g.idempotency_key, g.fingerprint, g.run_id, g.timeout_seconds, g.deadline_at, g.excess_cost,
            locked.was, coalesce(g.billed_cost, 0) AS charge
),
-- What each account is charged, and what its holds and slots release.
sums AS (
  SELECT account_id, sum(estimated_cost)::bigint AS released, sum(charge)::bigint AS charged,
         count(*) FILTER (WHERE was = 'running' AND NOT is_llm)::int AS slots
  FROM ended GROUP BY account_id
),
-- The accounts, locked in the order of their ids.
locked_account AS MATERIALIZED (
  SELECT id, balance, reserved, owed, promotional, running, key_limits_version, follows_events FROM account
  WHERE id IN (SELECT account_id FROM sums) ORDER BY id FOR UPDATE
),
-- Rejects the statement if the limit of a key was changed since its snapshot. A lock returns the newest row, a plain read
-- that of the snapshot. The function throws when their versions differ, so there are never rows (decision 36).
stale_limits AS (
  SELECT reject_stale_key_limits() AS is_stale FROM locked_account
  CROSS JOIN LATERAL (SELECT key_limits_version FROM account WHERE id = locked_account.id LIMIT 1) seen
  WHERE seen.key_limits_version <> locked_account.key_limits_version
),
-- The balances after the charges. What paid credit becomes available pays the debt first (decision 60).
paid AS (
  UPDATE account SET reserved = locked_account.reserved - sums.released,
                     balance = locked_account.balance - sums.charged - least(locked_account.owed, greatest(locked_account.balance - sums.charged - greatest(locked_account.promotional - sums.charged, 0) - locked_account.reserved + sums.released, 0)),
                     owed = locked_account.owed - least(locked_account.owed, greatest(locked_account.balance - sums.charged - greatest(locked_account.promotional - sums.charged, 0) - locked_account.reserved + sums.released, 0)),
                     promotional = greatest(locked_account.promotional - sums.charged, 0),
                     running = locked_account.running - sums.slots
  FROM sums JOIN locked_account ON locked_account.id = sums.account_id
  WHERE account.id = sums.account_id AND NOT EXISTS (SELECT FROM stale_limits WHERE is_stale)
  RETURNING account.id AS account_id, locked_account.balance AS balance_before,
            locked_account.promotional AS promotional_before, account.balance,
            locked_account.owed - account.owed AS repaid, account.follows_events, account.reply_retention_days
),
-- The spend limits of the keys, in the period in which the generation was created.
key_paid AS (
  UPDATE key_spending s SET reserved = s.reserved - sums.released, charged = s.charged + sums.charged
  FROM (
    SELECT k.id AS key_id,
    CASE k.spend_limit_reset WHEN 'day' THEN (ended.created_at AT TIME ZONE 'UTC')::date
              WHEN 'month' THEN date_trunc('month', ended.created_at AT TIME ZONE 'UTC')::date
              ELSE DATE '1970-01-01' END AS period,
           sum(estimated_cost)::bigint AS released, sum(charge)::bigint AS charged
    FROM ended JOIN paid USING (account_id) JOIN api_key k ON k.id = ended.key_id AND k.spend_limit IS NOT NULL
    GROUP BY 1, 2
  ) sums
  WHERE s.key_id = sums.key_id AND s.period = sums.period
),
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
),
-- The ledger entries, in the order of the charges; the repayment is the last.
entry AS (
  INSERT INTO ledger_entry (account_id, kind, amount, promotional, balance_after, generation_id, created_at)
  SELECT account_id, kind, amount, promotional, balance_after, generation_id, :now FROM (
    SELECT account_id, 'charge' AS kind, -charge AS amount,
           -least(charge, greatest(promotional_before - sum(charge) OVER up_to_it + charge, 0)) AS promotional,
           balance_before - sum(charge) OVER up_to_it AS balance_after, id AS generation_id
    FROM ended JOIN paid USING (account_id)
    WHERE charge > 0
    WINDOW up_to_it AS (PARTITION BY account_id ORDER BY id)
    UNION ALL
    SELECT account_id, 'repayment', -repaid, 0, balance, NULL FROM paid WHERE repaid > 0
  ) item
  ORDER BY generation_id NULLS LAST
),
-- The totals that the list of generations shows.
total AS (
  INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
  SELECT account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'), model, is_llm, status, sum(charge) FROM ended JOIN paid USING (account_id)
  WHERE charge > 0 GROUP BY 1, 2, 3, 4, 5
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
),
-- The attempts that hold a place. One that its process did not describe may have been billed.
closed AS (
  UPDATE attempt SET
    ended_at = greatest(coalesce(item.ended_at, :now), attempt.started_at), upstream_id = item.upstream_id,
    upstream_status = item.upstream_status, cost = item.cost, cause = item.cause, first_token_ms = item.first_token_ms,
    outcome = coalesce(item.outcome, CASE ended.status WHEN 'canceled' THEN 'canceled' ELSE 'lost' END)
  FROM ended LEFT JOIN json_to_recordset(:attempts::json) AS item (
    id uuid, n int, route text, provider text, reason text, started_at timestamptz, ended_at timestamptz, outcome text,
    upstream_id text, upstream_status int, cost bigint, passed_over jsonb, held text, cause text, first_token_ms int) ON item.id = ended.id AND item.held = 'open'
  WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
  RETURNING attempt.*
),
-- The difference between what the attempts cost and what was counted for them, by provider and day.
correction AS (
  SELECT limited_provider AS provider, budget_day AS day,
         sum(CASE outcome WHEN 'refused' THEN 0 ELSE coalesce(cost, budget_cost) END - budget_cost)::bigint AS amount
  FROM closed WHERE budget_cost IS NOT NULL GROUP BY 1, 2
),
-- The days to correct, locked in the order of their keys.
locked_spending AS MATERIALIZED (
  SELECT s.provider, s.day, s.spent + c.amount AS spent FROM provider_spending s JOIN correction c USING (provider, day)
  WHERE c.amount <> 0 ORDER BY s.provider, s.day FOR NO KEY UPDATE OF s
),
-- Their spending after the correction.
corrected AS (
  UPDATE provider_spending s SET spent = l.spent FROM locked_spending l WHERE s.provider = l.provider AND s.day = l.day
),
-- The replies. The locked account decides, because it may have stopped keeping them since the chat began.
kept AS (
  INSERT INTO chat_reply (generation_id, account_id, choices, created_at)
  SELECT ended.id, ended.account_id, ending.reply, :now
  FROM ended JOIN ending USING (id) JOIN paid USING (account_id)
  WHERE ending.reply IS NOT NULL AND paid.reply_retention_days IS NOT NULL
),
-- The events of accounts that follow them.
new_event AS (
  INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
  SELECT gen_random_uuid(), account_id, 'generation.completed', id, :now::timestamptz, json_build_object('id', changed.id, 'model', changed.model, 'is_llm', changed.is_llm, 'status', changed.status, 'input', changed.input, 'error', changed.error, 'provider', changed.provider, 'batch_id', changed.batch_id, 'priority', changed.priority, 'metadata', changed.metadata, 'end_user', changed.end_user, 'progress', changed.progress, 'input_tokens', changed.input_tokens, 'output_tokens', changed.output_tokens, 'token_classes', changed.token_classes, 'created_at', changed.created_at, 'started_at', changed.started_at, 'completed_at', changed.completed_at, 'estimated_cost', changed.estimated_cost::text, 'billed_cost', changed.billed_cost::text, 'outputs', '[]'::json, 'missing', '[]'::json)
  FROM (SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id)) changed WHERE follows_events
  RETURNING n, account_id, generation_id, created_at
),
-- A delivery of each event to each subscribed endpoint.
new_delivery AS (
  INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds'
  FROM new_event JOIN endpoint USING (account_id)
  WHERE endpoint.revoked_at IS NULL AND 'generation.completed' = ANY (endpoint.events)
  RETURNING id, endpoint_id, event_n, round
)
SELECT id, model, status, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
       (
         SELECT json_agg(json_build_object('id', new_delivery.id, 'endpoint_id', endpoint.id, 'generation_id', new_event.generation_id, 'round', new_delivery.round, 'slow', endpoint.slow))
         FROM new_event JOIN new_delivery ON new_delivery.event_n = new_event.n JOIN endpoint ON endpoint.id = new_delivery.endpoint_id
         WHERE new_event.generation_id = ended.id) AS deliveries,
       (SELECT max(limited_provider) FROM closed WHERE closed.generation_id = ended.id) AS limited_provider, CASE WHEN NOT :is_durable THEN set_config('synchronous_commit', 'off', true) END AS commits_async
FROM ended
