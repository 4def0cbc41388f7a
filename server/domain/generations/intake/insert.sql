-- The generations to insert. The condition always holds and shows the planner that there are few rows.
WITH claim AS (
  SELECT * FROM json_to_recordset(:claims::json) AS row (
    id uuid, account_id int, key_id uuid, model text, is_llm boolean, status text, input jsonb, estimated_cost bigint,
    price jsonb, provider text, batch_id uuid, priority int, metadata jsonb, end_user text, end_user_hash bytea, person_id int, idempotency_key text, fingerprint bytea, timeout_seconds int, created_at timestamptz,
    started_at timestamptz, deadline_at timestamptz, missing jsonb, progress real,
    character_id int, character_version int, checkpoint json, request_digest bytea, joinable_at timestamptz, facade text, external_inputs jsonb, video jsonb, webhook jsonb, keeps_nothing boolean,
    words text[], limits_version int)
  WHERE status IN ('queued', 'running', 'awaiting_supply') AND estimated_cost >= 0
),
-- What the claims take of the spend limits of keys.
key_amount AS (
  SELECT c.account_id, k.id AS key_id, k.spend_limit,
  CASE k.spend_limit_reset WHEN 'day' THEN (c.created_at AT TIME ZONE 'UTC')::date
              WHEN 'month' THEN date_trunc('month', c.created_at AT TIME ZONE 'UTC')::date
              ELSE DATE '1970-01-01' END AS period,
         sum(c.estimated_cost)::bigint AS amount
  FROM claim c JOIN api_key k ON k.id = c.key_id AND k.spend_limit IS NOT NULL GROUP BY 1, 2, 3, 4
),
-- Accounts with a key whose limit would be exceeded, for which nothing is held.
over_limit AS (
  SELECT d.account_id FROM key_amount d LEFT JOIN key_spending s ON s.key_id = d.key_id AND s.period = d.period
  WHERE d.amount + coalesce(s.reserved + s.charged, 0) > d.spend_limit
),
-- The budgets that each claim counts against, in the window in which it was created.
budget_claim AS (
  SELECT c.id, c.account_id, c.estimated_cost, b.id AS budget_id, b.revision, b.amount AS max,
         CASE b."window" WHEN 'total' THEN 'epoch'::timestamptz ELSE date_trunc(b."window", c.created_at, 'UTC') END AS starts_at, CASE WHEN b.scope ? 'each_end_user' THEN c.end_user_hash ELSE '' END AS end_user_hash
  FROM claim c CROSS JOIN LATERAL (SELECT * FROM budget WHERE account_id = c.account_id LIMIT 20) b
  WHERE
  CASE WHEN b.scope ? 'keys' THEN b.scope -> 'keys' ? c.key_id::text
     WHEN b.scope ? 'member' THEN
       (b.scope ->> 'member')::integer = coalesce(c.person_id, (SELECT person_id FROM api_key WHERE id = c.key_id))
     WHEN b.scope ? 'metadata' THEN c.metadata @> (b.scope -> 'metadata')
     ELSE c.end_user IS NOT NULL END
),
budget_amount AS (
  SELECT account_id, budget_id, revision, max, starts_at, end_user_hash, sum(estimated_cost)::bigint AS amount
  FROM budget_claim GROUP BY 1, 2, 3, 4, 5, 6
),
-- Accounts with a budget that would be exceeded, for which nothing is held.
over_budget AS (
  SELECT account_id FROM budget_amount d LEFT JOIN LATERAL (
    SELECT reserved + charged AS spent FROM budget_spending
    WHERE budget_id = d.budget_id AND revision = d.revision AND starts_at = d.starts_at AND end_user_hash = d.end_user_hash LIMIT 1) s ON true WHERE amount + coalesce(spent, 0) > max
),
-- What the claims take of each account, without those whose limits do not cover theirs.
account_amount AS (
  SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim WHERE account_id NOT IN (SELECT account_id FROM over_limit UNION ALL SELECT account_id FROM over_budget)
  GROUP BY account_id
),
-- The accounts, locked in the order of their ids.
locked_account AS MATERIALIZED (
  SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
  WHERE id IN (SELECT account_id FROM account_amount) ORDER BY id FOR UPDATE
),
-- Rejects the statement if the limit of a key was changed since its snapshot. A lock returns the newest row, a plain read
-- that of the snapshot. The function throws when their versions differ, so there are never rows (decision 36).
stale_limits AS (
  SELECT reject_stale_key_limits() AS is_stale FROM locked_account
  CROSS JOIN LATERAL (SELECT key_limits_version FROM account WHERE id = locked_account.id LIMIT 1) seen
  WHERE seen.key_limits_version <> locked_account.key_limits_version
),
-- The holds, where the available balance covers them.
held AS (
  UPDATE account SET reserved = locked_account.reserved + account_amount.amount, balance = locked_account.balance,
                     owed = locked_account.owed, promotional = locked_account.promotional
  FROM account_amount JOIN locked_account ON locked_account.id = account_amount.account_id
  WHERE account.id = account_amount.account_id
    AND locked_account.balance - locked_account.reserved >= account_amount.amount
    AND NOT EXISTS (SELECT FROM stale_limits WHERE is_stale)
  RETURNING account.id AS account_id, account.follows_events
)
,
-- The holds of the keys.
key_held AS (
  INSERT INTO key_spending AS s (key_id, period, spend_limit, reserved, charged)
  SELECT key_id, period, spend_limit, amount, 0 FROM key_amount JOIN held USING (account_id)
  ON CONFLICT (key_id, period) DO UPDATE SET reserved = s.reserved + excluded.reserved
)
,
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
),
-- The generations of the accounts that can pay for all of theirs.
accepted AS (
  INSERT INTO generation (id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
    batch_id, priority, metadata, end_user, person_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
    character_id, character_version, checkpoint, request_digest, joinable_at, facade, external_inputs, video, webhook, keeps_nothing, dispatched_at)
  SELECT id, account_id, key_id, model, is_llm, status, input, estimated_cost, price, provider,
         batch_id, coalesce(priority, 0), metadata, end_user, person_id, idempotency_key, fingerprint, timeout_seconds, created_at, started_at, deadline_at, missing, progress,
         character_id, character_version, checkpoint, request_digest, joinable_at, coalesce(facade, ''), external_inputs, video, webhook, coalesce(keeps_nothing, false),
         CASE status WHEN 'queued' THEN created_at END
  FROM claim JOIN held USING (account_id)
  RETURNING id
),
-- The words by which they are found.
searchable AS (
  INSERT INTO generation_words (generation_id, words)
  SELECT id, array_to_tsvector(words) FROM claim JOIN accepted USING (id)
)
,
-- The events of accounts that follow them.
new_event AS (
  INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
  SELECT gen_random_uuid(), account_id, 'generation.running', id, started_at::timestamptz, json_build_object('id', changed.id, 'model', changed.model, 'is_llm', changed.is_llm, 'status', changed.status, 'input', changed.input, 'error', changed.error, 'provider', changed.provider, 'batch_id', changed.batch_id, 'priority', changed.priority, 'metadata', changed.metadata, 'end_user', changed.end_user, 'progress', changed.progress, 'input_tokens', changed.input_tokens, 'output_tokens', changed.output_tokens, 'token_classes', changed.token_classes, 'created_at', changed.created_at, 'started_at', changed.started_at, 'completed_at', changed.completed_at, 'estimated_cost', changed.estimated_cost::text, 'billed_cost', changed.billed_cost::text, 'outputs', '[]'::json, 'missing', '[]'::json)
  FROM (SELECT claim.*, follows_events, NULL::json AS error, NULL::timestamptz AS completed_at, NULL::bigint AS billed_cost,
    NULL::int AS input_tokens, NULL::int AS output_tokens, NULL::jsonb AS token_classes
      FROM claim JOIN held USING (account_id) WHERE status = 'running') changed WHERE follows_events
  RETURNING n, account_id, generation_id, created_at
),
-- A delivery of each event to each subscribed endpoint.
new_delivery AS (
  INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at)
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds'
  FROM new_event JOIN endpoint USING (account_id)
  WHERE endpoint.revoked_at IS NULL AND 'generation.running' = ANY (endpoint.events)
  RETURNING id, endpoint_id, event_n, round
)
SELECT id, (
  SELECT json_agg(json_build_object('id', new_delivery.id, 'endpoint_id', endpoint.id, 'generation_id', new_event.generation_id, 'round', new_delivery.round, 'slow', endpoint.slow))
  FROM new_event JOIN new_delivery ON new_delivery.event_n = new_event.n JOIN endpoint ON endpoint.id = new_delivery.endpoint_id
  WHERE new_event.generation_id = accepted.id) AS deliveries,
       CASE WHEN (SELECT bool_and(is_llm) FROM claim) THEN set_config('synchronous_commit', 'off', true) END AS commits_async FROM accepted
