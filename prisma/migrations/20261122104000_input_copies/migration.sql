-- Outside content that a worker's generation names is fetched before a worker can claim it (docs/decisions/0021).
ALTER TABLE generation
  -- The addresses, each once; null when there are none.
  ADD COLUMN outside_inputs jsonb,
  ADD COLUMN inputs_ready_at timestamptz(3);

CREATE TABLE input_copy (
  -- Also the key of its content.
  id uuid PRIMARY KEY,
  generation_id uuid NOT NULL REFERENCES generation (id),
  index integer NOT NULL CHECK (index >= 0),
  url text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Until then nobody else fetches it.
  claimed_until timestamptz(3),
  media_type text,
  size bigint CHECK (size >= 0),
  sha256 bytea CHECK (octet_length(sha256) = 32),
  stored_at timestamptz(3),
  UNIQUE (generation_id, index),
  CONSTRAINT input_copy_is_whole CHECK (
    (stored_at IS NULL) = (sha256 IS NULL) AND (sha256 IS NULL) = (size IS NULL) AND (size IS NULL) = (media_type IS NULL)
  )
);

DROP INDEX generation_claimable;
CREATE INDEX generation_claimable ON generation (model, account_id, id)
  WHERE status = 'queued' AND provider = 'worker' AND (outside_inputs IS NULL OR inputs_ready_at IS NOT NULL);
CREATE INDEX generation_fetching ON generation (nudged_at)
  WHERE status = 'queued' AND outside_inputs IS NOT NULL AND inputs_ready_at IS NULL;

DROP TRIGGER worker_job_is_told_new ON generation;
DROP TRIGGER worker_job_is_told ON generation;
CREATE TRIGGER worker_job_is_told_new AFTER INSERT ON generation
  FOR EACH ROW WHEN (NEW.status = 'queued' AND NEW.provider = 'worker' AND NEW.outside_inputs IS NULL)
  EXECUTE FUNCTION worker_job_is_told();
CREATE TRIGGER worker_job_is_told AFTER UPDATE OF status, inputs_ready_at ON generation
  FOR EACH ROW WHEN (
    NEW.status = 'queued' AND NEW.provider = 'worker' AND (NEW.outside_inputs IS NULL OR NEW.inputs_ready_at IS NOT NULL)
  ) EXECUTE FUNCTION worker_job_is_told();
