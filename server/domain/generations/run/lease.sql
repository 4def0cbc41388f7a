-- The first job of each account and model. An index skip scan finds it, however long the queues are.
WITH RECURSIVE queue_head AS (
  SELECT first.* FROM unnest(:models::text[]) AS requested (model) CROSS JOIN LATERAL (
    SELECT g.model, g.account_id, g.id FROM generation g WHERE g.model = requested.model AND g.status = 'queued' AND g.provider = 'worker' AND (g.external_inputs IS NULL OR g.inputs_ready_at IS NOT NULL)
    ORDER BY g.account_id, g.priority DESC, g.id LIMIT 1) first
  UNION ALL
  SELECT next.* FROM queue_head CROSS JOIN LATERAL (
    SELECT g.model, g.account_id, g.id FROM generation g
    WHERE g.model = queue_head.model AND g.account_id > queue_head.account_id AND g.status = 'queued' AND g.provider = 'worker' AND (g.external_inputs IS NULL OR g.inputs_ready_at IS NOT NULL)
    ORDER BY g.account_id, g.priority DESC, g.id LIMIT 1) next
),
-- The job of the account whose turn it is. Jobs that other workers are leasing at the moment are skipped.
picked AS MATERIALIZED (
  SELECT job.* FROM (
    SELECT queue_head.model, queue_head.account_id FROM queue_head
    -- LATERAL with LIMIT 1 forces an index lookup: a join would read all accounts.
    CROSS JOIN LATERAL (SELECT a.last_lease_number FROM account a WHERE a.id = queue_head.account_id AND a.running < least(a.max_running, :max_running) LIMIT 1) a
    ORDER BY a.last_lease_number, queue_head.account_id, queue_head.id
  ) candidate CROSS JOIN LATERAL (
    SELECT g.id, g.account_id, g.fence, g.started_at, g.gpu_ms, g.timeout_seconds FROM generation g
    WHERE g.model = candidate.model AND g.account_id = candidate.account_id AND g.status = 'queued' AND g.provider = 'worker' AND (g.external_inputs IS NULL OR g.inputs_ready_at IS NOT NULL)
    ORDER BY g.priority DESC, g.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) job LIMIT 1
),
-- The account, locked.
locked_account AS MATERIALIZED (
  SELECT id, running, max_running, last_lease_number, weight FROM account WHERE id = (SELECT account_id FROM picked) FOR UPDATE
),
-- Its slot, if one is free.
slot AS (
  UPDATE account SET running = locked_account.running + 1, last_lease_number = setval('lease_number', greatest(locked_account.last_lease_number, coalesce(pg_sequence_last_value('lease_number'), 1))) + 1000000 / locked_account.weight
  FROM locked_account WHERE account.id = locked_account.id AND locked_account.running < least(locked_account.max_running, :max_running)
  RETURNING account.id, account.follows_events
),
-- The generation under its new lease.
started AS (
  UPDATE generation g SET
    status = 'running', started_at = coalesce(picked.started_at, :now), fence = picked.fence + 1,
    leased_at = :now, metered_at = :now, gpu_ms = picked.gpu_ms, gpu_ms_before_lease = picked.gpu_ms,
    deadline_at = :now::timestamptz + picked.timeout_seconds * interval '1 second',
    lease_expires_at = :now::timestamptz + least(picked.timeout_seconds, 60) * interval '1 second'
  FROM picked JOIN slot ON slot.id = picked.account_id WHERE g.id = picked.id
  RETURNING g.id, g.model, g.is_llm, g.status, g.input, g.estimated_cost, g.billed_cost, g.provider, g.batch_id, g.priority, g.metadata, g.end_user, g.progress, g.error, g.created_at, g.erased_at, g.started_at, g.completed_at, g.input_tokens, g.output_tokens, g.token_classes, g.account_id, g.key_id, g.price, g.idempotency_key, g.fingerprint, g.run_id, g.timeout_seconds, g.deadline_at, g.fence, g.lease_expires_at, g.checkpoint,
            slot.follows_events AND g.fence = 1 AS follows_events, CASE g.fence WHEN 1 THEN g.webhook END AS webhook
),
-- Its attempt.
leased AS (
  INSERT INTO attempt (generation_id, n, route, provider, started_at, lease_id, worker_token_id)
  SELECT id, fence, 'worker', 'worker', :now, :lease_id, :token_id::uuid FROM started
  RETURNING generation_id, lease_id
),
-- The events of accounts that follow them, and of own webhooks.
new_event AS (
  INSERT INTO event (id, account_id, name, generation_id, created_at, snapshot)
  SELECT gen_random_uuid(), account_id, 'generation.running', id, :now::timestamptz, json_build_object('id', changed.id, 'model', changed.model, 'is_llm', changed.is_llm, 'status', changed.status, 'input', changed.input, 'error', changed.error, 'provider', changed.provider, 'batch_id', changed.batch_id, 'priority', changed.priority, 'metadata', changed.metadata, 'end_user', changed.end_user, 'progress', changed.progress, 'input_tokens', changed.input_tokens, 'output_tokens', changed.output_tokens, 'token_classes', changed.token_classes, 'created_at', changed.created_at, 'started_at', changed.started_at, 'completed_at', changed.completed_at, 'estimated_cost', changed.estimated_cost::text, 'billed_cost', changed.billed_cost::text, 'outputs', '[]'::json, 'missing', '[]'::json)
  FROM started changed WHERE follows_events OR webhook -> 'events' ? 'generation.running'
  RETURNING n, account_id, generation_id, created_at
),
-- A delivery of each event to each subscribed endpoint.
new_delivery AS (
  INSERT INTO delivery (id, endpoint_id, event_n, created_at, next_attempt_at, redispatch_at, url)
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds', NULL
  FROM new_event JOIN endpoint USING (account_id)
  WHERE endpoint.revoked_at IS NULL AND 'generation.running' = ANY (endpoint.events)
  UNION ALL
  SELECT gen_random_uuid(), endpoint.id, new_event.n, new_event.created_at, new_event.created_at, new_event.created_at + interval '60 seconds', webhook ->> 'url'
  FROM started changed JOIN new_event ON new_event.generation_id = changed.id
  JOIN endpoint ON endpoint.id = (webhook ->> 'endpoint_id')::uuid
  WHERE endpoint.revoked_at IS NULL AND webhook -> 'events' ? 'generation.running'
  RETURNING id, endpoint_id, event_n, round
)
SELECT started.*, leased.lease_id, (
  SELECT json_agg(json_build_object('id', new_delivery.id, 'endpoint_id', endpoint.id, 'generation_id', new_event.generation_id, 'round', new_delivery.round, 'slow', endpoint.slow))
  FROM new_event JOIN new_delivery ON new_delivery.event_n = new_event.n JOIN endpoint ON endpoint.id = new_delivery.endpoint_id
  WHERE new_event.generation_id = started.id) AS deliveries
FROM picked LEFT JOIN started USING (id) LEFT JOIN leased ON leased.generation_id = started.id
