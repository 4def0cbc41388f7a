-- The idempotency keys of generations that have ended, by their age: the sweep clears them after a week.
CREATE INDEX CONCURRENTLY generation_idempotency_key_age ON generation (completed_at)
  WHERE idempotency_key IS NOT NULL AND completed_at IS NOT NULL;
