-- A generation may name a webhook of its own (docs/decisions/0119-own-webhooks.md): its URL, its events, and the endpoint of
-- its host, which has no position, events or secret.
-- `generation_is_valid` has the rule for it from the next migration on.
ALTER TABLE generation ADD COLUMN webhook jsonb;

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
