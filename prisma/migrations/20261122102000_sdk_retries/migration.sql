-- A chat that an SDK repeats without an idempotency key is joined with its repetition (docs/decisions/0019-sdk-retries.md).
ALTER TABLE generation
  -- SHA-256 of the request's route and raw body: while a repetition can still join it, and null from then on.
  ADD COLUMN request_digest bytea,
  -- When the client left without its answer; while a repetition waits for that answer, the end of its claim.
  ADD COLUMN joinable_at timestamptz(3);
-- Rows leave it as they end, unless their client left: it stays as small as what runs.
CREATE INDEX generation_request_digest ON generation (account_id, request_digest) WHERE request_digest IS NOT NULL;
CREATE INDEX generation_joinable ON generation (joinable_at) WHERE joinable_at IS NOT NULL;
