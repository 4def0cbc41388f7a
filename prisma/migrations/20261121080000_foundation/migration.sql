-- Accounts, keys, generations, files and the ledger. Money is in nano-euros (1e-9 EUR).

CREATE TABLE account (
  id serial PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  member boolean NOT NULL DEFAULT false,
  suspended boolean NOT NULL DEFAULT false,
  balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  running integer NOT NULL DEFAULT 0 CHECK (running >= 0),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT account_holds_are_covered CHECK (balance >= reserved)
);

CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  require_idempotency boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE INDEX api_key_account_id_id_idx ON api_key (account_id, id);

CREATE TABLE generation (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  key_id uuid,
  model text NOT NULL,
  is_llm boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'awaiting_supply')),
  input jsonb NOT NULL,
  estimated_cost bigint NOT NULL CHECK (estimated_cost >= 0),
  billed_cost bigint,
  excess_cost bigint NOT NULL DEFAULT 0 CHECK (excess_cost >= 0),
  price jsonb NOT NULL,
  provider text NOT NULL,
  batch_id uuid,
  idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  fingerprint bytea CHECK (octet_length(fingerprint) = 32),
  progress real CHECK (progress BETWEEN 0 AND 1 AND (progress < 1 OR status = 'succeeded')),
  error jsonb,
  run_id text,
  timeout_seconds integer NOT NULL CHECK (timeout_seconds > 0),
  created_at timestamptz(3) NOT NULL,
  nudged_at timestamptz(3),
  started_at timestamptz(3),
  deadline_at timestamptz(3),
  completed_at timestamptz(3),
  settled_at timestamptz(3),
  CONSTRAINT generation_billed_within_estimate CHECK (billed_cost BETWEEN 0 AND estimated_cost),
  CONSTRAINT generation_final_is_settled CHECK (
    (status IN ('succeeded', 'failed', 'canceled')) = (completed_at IS NOT NULL)
    AND (completed_at IS NULL) = (settled_at IS NULL)
    AND (billed_cost IS NULL OR settled_at IS NOT NULL)
  ),
  CONSTRAINT generation_success_is_billed CHECK (status <> 'succeeded' OR billed_cost IS NOT NULL),
  CONSTRAINT generation_running_has_started CHECK (status NOT IN ('running', 'succeeded') OR started_at IS NOT NULL),
  CONSTRAINT generation_failure_says_why CHECK ((status = 'failed') = (error IS NOT NULL)),
  CONSTRAINT generation_key_has_fingerprint CHECK ((idempotency_key IS NULL) OR (fingerprint IS NOT NULL))
);
-- A second claimant of a key violates this, and with its statement its hold is undone as well.
-- is_llm stands for the route: chats and other generations have their own keys.
CREATE UNIQUE INDEX generation_idempotency_key ON generation (account_id, is_llm, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX generation_newest ON generation (account_id, id DESC);
CREATE INDEX generation_newest_media ON generation (account_id, id DESC) WHERE NOT is_llm;
CREATE INDEX generation_newest_by_status ON generation (account_id, status, id DESC);
CREATE INDEX generation_newest_by_model ON generation (account_id, model, id DESC);
CREATE INDEX generation_newest_in_batch ON generation (account_id, batch_id, id DESC) WHERE batch_id IS NOT NULL;
CREATE INDEX generation_waiting ON generation (account_id, id) WHERE status = 'queued' AND nudged_at IS NULL;
CREATE INDEX generation_nudged ON generation (nudged_at) WHERE status = 'queued';
CREATE INDEX generation_deadline ON generation (deadline_at) WHERE status = 'running';

-- The states of a generation and their moves (specification, section 3); domain/generations/transitions.ts is its twin.
CREATE FUNCTION generation_moves_as_allowed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (
    ('awaiting_supply', 'queued'), ('awaiting_supply', 'failed'), ('awaiting_supply', 'canceled'),
    ('queued', 'running'), ('queued', 'failed'), ('queued', 'canceled'),
    ('running', 'succeeded'), ('running', 'failed'), ('running', 'canceled')
  ) THEN
    RAISE EXCEPTION 'generation % cannot move from % to %', OLD.id, OLD.status, NEW.status USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER generation_moves_as_allowed BEFORE UPDATE OF status ON generation
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION generation_moves_as_allowed();

CREATE TABLE attempt (
  generation_id uuid NOT NULL REFERENCES generation (id),
  n integer NOT NULL CHECK (n >= 1),
  route text NOT NULL,
  provider text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  outcome text CHECK (outcome IN ('succeeded', 'failed', 'refused', 'canceled', 'lost')),
  upstream_id text,
  upstream_status integer,
  cost bigint CHECK (cost >= 0),
  PRIMARY KEY (generation_id, n),
  CHECK ((ended_at IS NULL) = (outcome IS NULL))
);

CREATE TABLE file (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  generation_id uuid REFERENCES generation (id),
  index integer CHECK (index >= 0),
  media_type text NOT NULL,
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  sha256 bytea CHECK (octet_length(sha256) = 32),
  created_at timestamptz(3) NOT NULL,
  stored_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  removed_at timestamptz(3),
  UNIQUE (generation_id, index),
  CHECK ((generation_id IS NULL) = (index IS NULL)),
  CHECK (stored_at IS NULL OR sha256 IS NOT NULL)
);
CREATE INDEX file_held ON file (account_id, sha256) WHERE stored_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX file_expiry ON file (expires_at) WHERE removed_at IS NULL;
CREATE INDEX file_unfinished ON file (created_at) WHERE stored_at IS NULL;

CREATE TABLE ledger_entry (
  id bigserial PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  kind text NOT NULL CHECK (kind IN ('credit', 'charge')),
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint NOT NULL,
  generation_id uuid UNIQUE REFERENCES generation (id),
  reference text,
  note text,
  created_at timestamptz(3) NOT NULL,
  UNIQUE (account_id, reference),
  CONSTRAINT ledger_charge_names_its_generation CHECK ((kind = 'charge') = (generation_id IS NOT NULL)),
  CONSTRAINT ledger_charge_takes CHECK (kind <> 'charge' OR amount < 0)
);
CREATE INDEX ledger_entry_account_id_id_idx ON ledger_entry (account_id, id);

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_is_never_truncated BEFORE TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE TABLE billing_total (
  account_id integer NOT NULL REFERENCES account (id),
  model text NOT NULL,
  is_llm boolean NOT NULL,
  status text NOT NULL,
  billed bigint NOT NULL CHECK (billed >= 0),
  PRIMARY KEY (account_id, model, is_llm, status)
);

CREATE TABLE catalogue_revision (
  id serial PRIMARY KEY,
  source text NOT NULL,
  applied_at timestamptz(3) NOT NULL
);
