-- Workers: generations that pull their worker. A lease is a row of `attempt`; while it is open, what moves stands on
-- the generation itself, so that a report, an end and a lapse all decide by one locked row.

-- Opens the worker routes and nothing else; only the hash of the secret is kept.
CREATE TABLE worker_token (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX worker_token_name ON worker_token (name) WHERE revoked_at IS NULL;

ALTER TABLE generation
  -- The number of its newest lease; also of that attempt.
  ADD COLUMN fence integer NOT NULL DEFAULT 0 CHECK (fence >= 0),
  ADD COLUMN leased_at timestamptz(3),
  ADD COLUMN lease_expires_at timestamptz(3),
  -- GPU time under all its leases as far as `metered_at`, and what of it was there when the newest lease began.
  ADD COLUMN gpu_ms bigint NOT NULL DEFAULT 0,
  ADD COLUMN gpu_ms_before bigint NOT NULL DEFAULT 0,
  ADD COLUMN metered_at timestamptz(3),
  -- What the last worker left for the next one.
  ADD COLUMN checkpoint json,
  ADD CONSTRAINT generation_lease_is_whole CHECK (
    (fence = 0) = (leased_at IS NULL) AND (leased_at IS NULL) = (lease_expires_at IS NULL) AND (leased_at IS NULL) = (metered_at IS NULL)
  ),
  ADD CONSTRAINT generation_lease_is_a_workers CHECK (fence = 0 OR provider = 'worker'),
  ADD CONSTRAINT generation_gpu_time_was_seen CHECK (
    gpu_ms_before BETWEEN 0 AND gpu_ms
    AND gpu_ms - gpu_ms_before <= coalesce(extract(epoch FROM metered_at - leased_at) * 1000, 0)
  ),
  ADD CONSTRAINT generation_gpu_time_was_priced CHECK (gpu_ms <= coalesce((price->>'most_seconds')::bigint * 1000, 0)),
  -- Only a worker's generation waits again after it has started.
  ADD CONSTRAINT generation_waiting_has_not_started CHECK (status NOT IN ('queued', 'awaiting_supply') OR started_at IS NULL OR fence > 0);

-- Worker generations are not told to the engine, so its indexes leave them out.
DROP INDEX generation_waiting, generation_nudged;
CREATE INDEX generation_waiting ON generation (account_id, id) WHERE status = 'queued' AND nudged_at IS NULL AND provider <> 'worker';
CREATE INDEX generation_nudged ON generation (nudged_at) WHERE status = 'queued' AND provider <> 'worker';
CREATE INDEX generation_claimable ON generation (model, account_id, id) WHERE status = 'queued' AND provider = 'worker';
CREATE INDEX generation_claimable_of_account ON generation (account_id) WHERE status = 'queued' AND provider = 'worker';
CREATE INDEX generation_leased ON generation (lease_expires_at) WHERE status = 'running' AND provider = 'worker';

ALTER TABLE attempt
  ADD COLUMN lease_id uuid,
  -- Null for the worker in process.
  ADD COLUMN worker_token_id uuid REFERENCES worker_token (id);
CREATE UNIQUE INDEX attempt_lease ON attempt (lease_id) WHERE lease_id IS NOT NULL;

-- Outputs of each lease are rows of their own: a late upload cannot replace a newer one.
ALTER TABLE file ADD COLUMN fence integer NOT NULL DEFAULT 0;
ALTER TABLE file DROP CONSTRAINT file_generation_id_index_key;
CREATE UNIQUE INDEX file_generation_id_fence_index_key ON file (generation_id, fence, index);

-- Accounts take turns: the one served longest ago is next.
CREATE SEQUENCE worker_turn;
ALTER TABLE account ADD COLUMN worker_turn bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION generation_moves_as_allowed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (
    ('awaiting_supply', 'queued'), ('awaiting_supply', 'failed'), ('awaiting_supply', 'canceled'),
    ('queued', 'running'), ('queued', 'failed'), ('queued', 'canceled'),
    ('running', 'queued'), ('running', 'succeeded'), ('running', 'failed'), ('running', 'canceled')
  ) THEN
    RAISE EXCEPTION 'generation % cannot move from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- Whoever queues it, however: waiting workers hear of it with the commit.
CREATE FUNCTION worker_job_is_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('hub_worker', NEW.model);
  RETURN NULL;
END $$;
CREATE TRIGGER worker_job_is_told_new AFTER INSERT ON generation
  FOR EACH ROW WHEN (NEW.status = 'queued' AND NEW.provider = 'worker') EXECUTE FUNCTION worker_job_is_told();
CREATE TRIGGER worker_job_is_told AFTER UPDATE OF status ON generation
  FOR EACH ROW WHEN (NEW.status = 'queued' AND NEW.provider = 'worker') EXECUTE FUNCTION worker_job_is_told();
