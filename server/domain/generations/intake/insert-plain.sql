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
-- What the claims take of each account, without those whose limits do not cover theirs.
account_amount AS (
  SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim
  GROUP BY account_id
),
-- The accounts, locked in the order of their ids.
locked_account AS MATERIALIZED (
  SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
  WHERE id IN (SELECT account_id FROM account_amount) ORDER BY id FOR UPDATE
),
-- Rejects the statement if the limits of an account have changed or it follows events by now. The function throws, so there
-- are never rows.
stale_limits AS (
  SELECT reject_changed_account() AS is_stale FROM locked_account JOIN claim ON claim.account_id = locked_account.id
  WHERE claim.limits_version <> locked_account.key_limits_version OR locked_account.follows_events
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
SELECT id, NULL::json AS deliveries,
       CASE WHEN (SELECT bool_and(is_llm) FROM claim) THEN set_config('synchronous_commit', 'off', true) END AS commits_async FROM accepted
