-- A generation may name a webhook of its own (docs/decisions/0119-own-webhooks.md): its URL, its events, and the endpoint of
-- its host, which has no position, events or secret.
ALTER TABLE generation ADD COLUMN webhook jsonb;
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
    AND (g.webhook IS NULL OR NOT g.is_llm);
END $$;

ALTER TABLE endpoint
  ALTER position DROP NOT NULL,
  ALTER events DROP NOT NULL,
  ALTER secret DROP NOT NULL,
  -- When a generation last named the host, to the day.
  ADD COLUMN used_at timestamptz(3),
  ADD CONSTRAINT endpoint_is_subscribed_or_host CHECK (
    num_nulls(position, events, secret) IN (0, 3) AND (position IS NULL) = (used_at IS NOT NULL)
    AND (previous_secret IS NULL OR secret IS NOT NULL));
CREATE UNIQUE INDEX endpoint_host ON endpoint (account_id, url) WHERE position IS NULL AND revoked_at IS NULL;

-- The URL of a generation's own webhook; null for that of the endpoint.
ALTER TABLE delivery ADD COLUMN url text;

-- What signs the deliveries of own webhooks.
CREATE TABLE signing_secret (
  account_id integer PRIMARY KEY REFERENCES account,
  secret bytea NOT NULL,
  previous_secret bytea,
  -- Until then the previous secret signs as well.
  previous_secret_expires_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT signing_secret_previous_expires CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);
