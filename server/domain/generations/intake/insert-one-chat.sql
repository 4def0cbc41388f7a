WITH
-- The account, unless its limits have changed or it follows events by now.
locked_account AS MATERIALIZED (
  SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
  WHERE id = :account_id FOR UPDATE
),
-- The hold, where the available balance covers it.
held AS (
  UPDATE account SET reserved = locked_account.reserved + :estimated_cost, balance = locked_account.balance,
                     owed = locked_account.owed, promotional = locked_account.promotional
  FROM locked_account
  WHERE account.id = locked_account.id AND locked_account.balance - locked_account.reserved >= :estimated_cost
    AND CASE WHEN locked_account.key_limits_version <> :limits_version OR locked_account.follows_events
       THEN reject_changed_account() ELSE true END
  RETURNING account.id AS account_id
),
-- The chat, if its account can pay for it.
accepted AS (
  INSERT INTO generation (id, account_id, key_id, person_id, model, is_llm, status, input, estimated_cost, price, provider,
    metadata, end_user, idempotency_key, fingerprint, facade, request_digest, keeps_nothing,
    timeout_seconds, created_at, started_at, deadline_at)
  SELECT :id, account_id, :key_id, :person_id, :model, true, 'running', :input, :estimated_cost, :price, :provider,
         :metadata, :end_user, :idempotency_key, :fingerprint, :facade, :request_digest, :keeps_nothing,
         :timeout_seconds, :created_at, :started_at, :deadline_at
  FROM held
  RETURNING id
),
-- The words by which it is found.
searchable AS (
  INSERT INTO generation_words (generation_id, words) SELECT id, array_to_tsvector(:words) FROM accepted
)
SELECT id, NULL::json AS deliveries, set_config('synchronous_commit', 'off', true) AS commits_async FROM accepted
