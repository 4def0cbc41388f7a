-- The order of an account's own generations, and the shares of accounts (docs/decisions/0121-priority.md).
ALTER TABLE generation ADD COLUMN priority integer NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION generation_is_valid(g generation) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  -- As in a CHECK, what is unknown passes.
  RETURN g.status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'awaiting_supply')
    AND g.timeout_seconds > 0
    -- Money: within the estimate, only for what was settled, and no success without it.
    AND g.estimated_cost >= 0
    AND g.excess_cost >= 0
    AND g.billed_cost BETWEEN 0 AND g.estimated_cost
    AND (g.billed_cost IS NULL OR g.settled_at IS NOT NULL)
    AND (g.status <> 'succeeded' OR g.billed_cost IS NOT NULL)
    -- States and their times.
    AND (g.status IN ('succeeded', 'failed', 'canceled')) = (g.completed_at IS NOT NULL)
    AND (g.completed_at IS NULL) = (g.settled_at IS NULL)
    AND (g.status NOT IN ('running', 'succeeded') OR g.started_at IS NOT NULL)
    AND (g.status NOT IN ('queued', 'awaiting_supply') OR g.started_at IS NULL OR g.fence > 0)
    AND (g.status = 'failed') = (g.error IS NOT NULL)
    AND g.progress BETWEEN 0 AND 1
    AND (g.progress < 1 OR g.status = 'succeeded')
    -- What is awaited.
    AND CASE g.status
          WHEN 'awaiting_supply' THEN
            g.missing IS NOT NULL AND jsonb_array_length(g.missing) > 0
            AND g.deadline_at IS NOT NULL AND g.started_at IS NULL
          ELSE g.missing IS NULL OR (g.status IN ('failed', 'canceled') AND g.started_at IS NULL)
        END
    -- Idempotency.
    AND length(g.idempotency_key) BETWEEN 1 AND 255
    AND octet_length(g.fingerprint) = 32
    AND (g.idempotency_key IS NULL OR g.fingerprint IS NOT NULL)
    -- Leases are workers', whole, and their GPU time was both seen and priced.
    AND g.fence >= 0
    AND (g.fence = 0 OR g.provider = 'worker')
    AND (g.fence = 0) = (g.leased_at IS NULL)
    AND (g.leased_at IS NULL) = (g.lease_expires_at IS NULL)
    AND (g.leased_at IS NULL) = (g.metered_at IS NULL)
    AND g.gpu_ms_before_lease BETWEEN 0 AND g.gpu_ms
    AND g.gpu_ms - g.gpu_ms_before_lease <= coalesce(extract(epoch FROM g.metered_at - g.leased_at) * 1000, 0)
    AND g.gpu_ms <= coalesce((g.price->>'most_seconds')::bigint * 1000, 0)
    -- Trainings are workers' too.
    AND (g.character_id IS NULL) = (g.character_version IS NULL)
    AND (g.character_id IS NULL OR g.provider = 'worker')
    -- What the job engine runs has a run with a claim on it, so that another run can take it over.
    AND (g.claim_expires_at IS NULL OR g.run_id IS NOT NULL)
    AND (g.status <> 'running' OR g.is_llm OR g.provider = 'worker' OR g.claim_expires_at IS NOT NULL)
    -- The classes of a total exclude each other, so together they are at most the total.
    AND (g.token_classes IS NULL OR (
      coalesce((g.token_classes ->> 'cached_input')::int, 0) + coalesce((g.token_classes ->> 'cache_write')::int, 0)
        + coalesce((g.token_classes ->> 'cache_write_long')::int, 0) + coalesce((g.token_classes ->> 'audio_input')::int, 0)
        + coalesce((g.token_classes ->> 'image_input')::int, 0) <= g.input_tokens
      AND coalesce((g.token_classes ->> 'reasoning')::int, 0) + coalesce((g.token_classes ->> 'audio_output')::int, 0)
        <= g.output_tokens))
    -- Nobody waits for the webhook of a chat.
    AND (g.webhook IS NULL OR NOT g.is_llm)
    -- Low, normal or high.
    AND g.priority BETWEEN -1 AND 1;
END $$;

ALTER TABLE account ADD COLUMN weight integer NOT NULL DEFAULT 1;
CREATE OR REPLACE FUNCTION account_is_valid(a account) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN a.email = lower(a.email)
    -- The balance covers what is held, and an account that owes has nothing available.
    AND a.reserved BETWEEN 0 AND a.balance
    AND a.owed >= 0
    AND (a.owed = 0 OR a.balance = a.reserved)
    AND a.running >= 0
    AND a.upload_bytes >= 0
    AND a.sign_up_credit > 0
    AND a.reply_retention_days BETWEEN 1 AND 30
    AND a.weight BETWEEN 1 AND 100;
END $$;

ALTER TABLE api_key ADD COLUMN allow_high_priority boolean NOT NULL DEFAULT true;

-- How much of a provider's places each account has taken while others waited, in units of its weight: the account with the
-- lowest turn is next.
CREATE TABLE provider_turn (
  provider text NOT NULL,
  account_id integer NOT NULL REFERENCES account,
  turn bigint NOT NULL CHECK (turn >= 0),
  PRIMARY KEY (provider, account_id)
);
CREATE INDEX provider_turn_highest ON provider_turn (provider, turn);
