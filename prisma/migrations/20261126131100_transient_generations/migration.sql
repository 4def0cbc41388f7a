-- Generations that keep nothing and are not erased yet.
CREATE INDEX CONCURRENTLY generation_transient ON generation (completed_at)
  WHERE keeps_nothing AND erased_at IS NULL AND completed_at IS NOT NULL;
