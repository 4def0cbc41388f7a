-- The condition always holds. It shows the planner that there are few rows: it would scan whole tables while these
-- have no statistics (decision 8).
WITH ending AS (
  SELECT * FROM json_to_recordset(:endings::json) AS row (
    id uuid, "from" text[], "to" text, cost bigint, run_id text, fence int, gpu_ms bigint, error jsonb, outputs int,
    outcome text, upstream_status int, upstream_cost bigint, cause text)
  WHERE "to" IN ('succeeded', 'failed', 'canceled') AND outputs >= 0
),
-- The generations that may still end.
locked AS MATERIALIZED (
  SELECT g.id, g.status AS was, g.started_at, meter.spent, CASE WHEN g.fence > 0 THEN greatest(g.metered_at, least(:now::timestamptz, g.lease_expires_at)) END AS metered_at,
         g.gpu_ms_before_lease, g.leased_at,
         coalesce(ending.cost, CASE WHEN ending."to" = 'failed' THEN 0
           WHEN g.fence > 0 THEN ceil((g.price->>'price_per_second')::numeric * coalesce((g.price #>> '{book,multiplier}')::numeric, 1) * (1 - coalesce((g.price #>> '{book,discount}')::numeric, 0)) * 1000000 * meter.spent)::bigint
           WHEN ending."to" = 'succeeded' THEN g.estimated_cost ELSE 0 END) AS cost
  FROM generation g JOIN ending ON ending.id = g.id
  CROSS JOIN LATERAL (
    SELECT
    CASE WHEN g.fence = 0 OR g.status <> 'running' THEN g.gpu_ms
    WHEN ending."to" = 'canceled' THEN greatest(g.gpu_ms, least(g.gpu_ms + floor(extract(epoch FROM CASE WHEN g.fence > 0 THEN greatest(g.metered_at, least(:now::timestamptz, g.lease_expires_at)) END - g.metered_at) * 1000)::bigint, (g.price->>'most_seconds')::bigint * 1000))
    ELSE greatest(g.gpu_ms, least(g.gpu_ms_before_lease + least(coalesce(ending.gpu_ms, 0), floor(extract(epoch FROM :now::timestamptz - g.leased_at) * 1000)::bigint), (g.price->>'most_seconds')::bigint * 1000)) END AS spent
  ) meter
  WHERE g.status = ANY (ending."from") AND g.settled_at IS NULL
    AND (ending.run_id IS NULL OR g.run_id = ending.run_id)
    AND (ending.fence IS NULL OR g.fence = ending.fence) AND (ending.gpu_ms IS NULL OR g.lease_expires_at > :now)
  ORDER BY g.id FOR NO KEY UPDATE OF g
),
-- Their final state. A chat without an answer frees its idempotency key, because clients retry it with the same one.
ended AS (
  UPDATE generation g SET
    status = ending."to", error = ending.error, completed_at = :now, settled_at = :now,
    progress = CASE WHEN ending."to" = 'succeeded' THEN 1 ELSE g.progress END,
    idempotency_key = CASE WHEN NOT (g.is_llm AND (ending."to" = 'failed')) THEN g.idempotency_key END,
    request_digest = CASE WHEN g.joinable_at IS NOT NULL THEN g.request_digest END,
    started_at = locked.started_at,
    billed_cost = CASE WHEN locked.started_at IS NOT NULL THEN greatest(least(locked.cost, g.estimated_cost) - coalesce((g.price ->> 'already_paid')::bigint, 0), 0) END,
    excess_cost = greatest(locked.cost - g.estimated_cost, ending.upstream_cost - g.estimated_cost, 0),
    missing = CASE locked.was WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n)
      FROM jsonb_array_elements(g.missing) WITH ORDINALITY AS list (item, n) WHERE NOT EXISTS (
        SELECT FROM file f
        WHERE f.account_id = g.account_id AND f.sha256 = decode(item ->> 'sha256', 'hex')
          AND f.stored_at IS NOT NULL AND f.removed_at IS NULL AND f.expires_at > g.created_at)) END,
    gpu_ms = locked.spent, metered_at = locked.metered_at, gpu_ms_before_lease = locked.gpu_ms_before_lease,
    leased_at = locked.leased_at
  FROM locked JOIN ending ON ending.id = locked.id
  WHERE g.id = locked.id
  RETURNING g.id, g.model, g.is_llm, g.status, g.input, g.estimated_cost, g.billed_cost, g.provider, g.batch_id, g.priority, g.metadata, g.end_user, g.progress, g.error, g.created_at, g.erased_at, g.started_at, g.completed_at, g.input_tokens, g.output_tokens, g.token_classes, g.account_id, g.key_id, g.price, g.idempotency_key, g.fingerprint, g.run_id, g.timeout_seconds, g.deadline_at, g.excess_cost,
            coalesce(g.missing, '[]') AS missing, g.webhook, g.fence, g.metered_at, g.gpu_ms, g.character_id,
            ending.outputs AS output_count, locked.was, coalesce(g.billed_cost, 0) AS charge
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
-- The open attempt. A concurrent report with a later time may have been stored before it ends.
closed AS (
  UPDATE attempt SET
    ended_at = greatest(:now, ended.metered_at), upstream_status = ending.upstream_status,
    cost = coalesce(ending.upstream_cost, attempt.cost), cause = ending.cause, reserved = false,
    outcome = CASE WHEN attempt.reserved THEN 'refused'
                   ELSE coalesce(ending.outcome, CASE ended.status WHEN 'canceled' THEN 'canceled' ELSE 'lost' END) END
  FROM ended JOIN ending ON ending.id = ended.id
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
-- The outputs, which customers see from now on.
published AS (
  UPDATE file SET stored_at = :now,
                  expires_at = CASE WHEN ended.character_id IS NULL THEN file.expires_at ELSE '9999-12-31T23:59:59.999Z' END
  FROM ended
  WHERE ended.status = 'succeeded' AND file.generation_id = ended.id
    AND file.fence = ended.fence AND file.index < ended.output_count AND file.sha256 IS NOT NULL
  RETURNING file.*
),
-- The events of accounts that follow them, and of own webhooks.
new_event AS (
  INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
  SELECT gen_random_uuid(), account_id, 'generation.completed', id, :now::timestamptz, json_build_object('id', changed.id, 'model', changed.model, 'is_llm', changed.is_llm, 'status', changed.status, 'input', changed.input, 'error', changed.error, 'provider', changed.provider, 'batch_id', changed.batch_id, 'priority', changed.priority, 'metadata', changed.metadata, 'end_user', changed.end_user, 'progress', changed.progress, 'input_tokens', changed.input_tokens, 'output_tokens', changed.output_tokens, 'token_classes', changed.token_classes, 'created_at', changed.created_at, 'started_at', changed.started_at, 'completed_at', changed.completed_at, 'estimated_cost', changed.estimated_cost::text, 'billed_cost', changed.billed_cost::text, 'outputs', (SELECT coalesce(json_agg(json_build_object('id', f.id, 'index', f.index, 'media_type', f.media_type, 'size', f.size, 'expires_at', f.expires_at) ORDER BY f.index), '[]') FROM published f WHERE f.generation_id = changed.id), 'missing', changed.missing)
  FROM (SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id)) changed WHERE follows_events OR webhook -> 'events' ? 'generation.completed'
  RETURNING n, account_id, generation_id, created_at
),
-- A delivery of each event to each subscribed endpoint.
new_delivery AS (
  INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at, url)
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds', NULL
  FROM new_event JOIN endpoint USING (account_id)
  WHERE endpoint.revoked_at IS NULL AND 'generation.completed' = ANY (endpoint.events)
  UNION ALL
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds', webhook ->> 'url'
  FROM (SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id)) changed JOIN new_event ON new_event.generation_id = changed.id
  JOIN endpoint ON endpoint.id = (webhook ->> 'endpoint_id')::uuid
  WHERE endpoint.revoked_at IS NULL AND webhook -> 'events' ? 'generation.completed'
  RETURNING id, endpoint_id, event_n, round
)
SELECT id, model, status, billed_cost, excess_cost, extract(epoch FROM completed_at - started_at)::float8 AS run_seconds,
       (
         SELECT json_agg(json_build_object('id', new_delivery.id, 'endpoint_id', endpoint.id, 'generation_id', new_event.generation_id, 'round', new_delivery.round, 'slow', endpoint.slow))
         FROM new_event JOIN new_delivery ON new_delivery.event_n = new_event.n JOIN endpoint ON endpoint.id = new_delivery.endpoint_id
         WHERE new_event.generation_id = ended.id) AS deliveries,
       account_id, was, error, gpu_ms,
       (SELECT json_build_object('route', route, 'outcome', outcome, 'cause', cause, 'upstream_status', upstream_status,
         'seconds', extract(epoch FROM closed.ended_at - closed.started_at), 'cost', closed.cost::text)
         FROM closed WHERE closed.generation_id = ended.id LIMIT 1) AS closed_attempt,
       (SELECT max(limited_provider) FROM closed WHERE closed.generation_id = ended.id) AS limited_provider
FROM ended
