-- Batches: generations that were accepted together (docs/decisions/0120-batches.md).
CREATE TABLE batch (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  key_id uuid REFERENCES api_key,
  model text NOT NULL,
  size integer NOT NULL,
  estimated_cost bigint NOT NULL,
  idempotency_key text,
  fingerprint bytea,
  -- Its own webhook, as a generation has it.
  webhook jsonb,
  created_at timestamptz(3) NOT NULL,
  canceled_at timestamptz(3),
  -- When its last generation ended; set together with the two below, which no longer change then.
  completed_at timestamptz(3),
  counts jsonb,
  billed_cost bigint,
  CONSTRAINT batch_is_valid CHECK (
    size BETWEEN 1 AND 1000 AND estimated_cost >= 0 AND (idempotency_key IS NULL) = (fingerprint IS NULL)
    AND (completed_at IS NULL) = (counts IS NULL) AND (completed_at IS NULL) = (billed_cost IS NULL)
    AND billed_cost BETWEEN 0 AND estimated_cost)
);
CREATE UNIQUE INDEX batch_idempotency_key ON batch (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX batch_newest ON batch (account_id, id);
CREATE INDEX batch_open ON batch (id) WHERE completed_at IS NULL;

ALTER TABLE endpoint DROP CONSTRAINT endpoint_events_check,
  ADD CONSTRAINT endpoint_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'generation.running', 'generation.completed', 'batch.completed', 'payment.succeeded', 'payment.failed',
    'payment.refunded', 'balance.low', 'balance.exhausted', 'key.limit_reached', 'budget.threshold', 'webhook.failing']);
