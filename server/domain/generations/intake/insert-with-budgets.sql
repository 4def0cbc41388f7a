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
  SELECT account_id, sum(estimated_cost)::bigint AS amount FROM claim WHERE account_id NOT IN (SELECT account_id FROM over_budget)
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
SELECT id, NULL::json AS deliveries,
       CASE WHEN (SELECT bool_and(is_llm) FROM claim) THEN set_config('synchronous_commit', 'off', true) END AS commits_async FROM accepted
