-- The embedded job engine. Payloads are json, not jsonb: they are kept and handed on exactly as the SDK wrote them.

CREATE SCHEMA engine;

-- What was sent and not yet routed to functions, in order of arrival.
CREATE TABLE engine.event (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  body json NOT NULL
);

-- Keys that count once a day: ids of events, and the idempotency keys of functions.
CREATE TABLE engine.seen (
  key text PRIMARY KEY,
  at timestamptz(3) NOT NULL
);
CREATE INDEX seen_at ON engine.seen (at);

-- The jobs of one function and one value of its concurrency key stand in one lane. Lanes are served in turn.
CREATE SEQUENCE engine.turn;
CREATE TABLE engine.lane (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  function_id text NOT NULL,
  key text NOT NULL,
  most integer NOT NULL CHECK (most > 0),
  runs integer NOT NULL DEFAULT 0 CHECK (runs >= 0),
  waiting integer NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  executing integer NOT NULL DEFAULT 0 CHECK (executing >= 0),
  turn bigint NOT NULL DEFAULT 0,
  UNIQUE (function_id, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Only lanes from which a job could be taken now: full and empty ones cost nothing.
CREATE INDEX lane_open ON engine.lane (turn) WHERE waiting > 0 AND executing < most;

-- Ids of runs grow with time, so that inside a lane the oldest run goes on first.
CREATE TABLE engine.run (
  id uuid PRIMARY KEY,
  function_id text NOT NULL,
  lane_id bigint NOT NULL,
  event json NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed', 'canceled')),
  -- Steps planned and not yet finished; when none is left the function is called again.
  pending integer NOT NULL DEFAULT 0 CHECK (pending >= 0),
  result json,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT run_ended CHECK ((status = 'active') = (ended_at IS NULL))
);
CREATE INDEX run_finished ON engine.run (ended_at) WHERE status IN ('completed', 'canceled');
CREATE INDEX run_failed ON engine.run (ended_at) WHERE status = 'failed';
CREATE INDEX run_retryable ON engine.run (lane_id) WHERE status = 'failed';

CREATE TABLE engine.memo (
  run_id uuid NOT NULL REFERENCES engine.run (id) ON DELETE CASCADE,
  step text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  failed boolean NOT NULL,
  value json NOT NULL,
  PRIMARY KEY (run_id, step)
);

-- An active run always has a job: one that calls it, or one that waits for a time or an event.
CREATE TABLE engine.job (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id uuid NOT NULL REFERENCES engine.run (id) ON DELETE CASCADE,
  lane_id bigint NOT NULL,
  step text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('call', 'timer')),
  attempt integer NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('later', 'ready', 'taken')),
  due_at timestamptz(3),
  taken_by uuid,
  CONSTRAINT job_later_has_a_time CHECK (state <> 'later' OR due_at IS NOT NULL),
  CONSTRAINT job_taken_has_an_owner CHECK ((state = 'taken') = (taken_by IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000);
CREATE INDEX job_run ON engine.job (run_id);
CREATE INDEX job_ready ON engine.job (lane_id, run_id) WHERE state = 'ready';
CREATE INDEX job_due ON engine.job (due_at) WHERE state = 'later';
CREATE INDEX job_taken ON engine.job (taken_by) WHERE state = 'taken';

-- Events that a run waits for (step) or that cancel it (no step). The key is a digest of one value that must agree.
CREATE TABLE engine.wait (
  run_id uuid NOT NULL REFERENCES engine.run (id) ON DELETE CASCADE,
  step text,
  event text NOT NULL,
  key text NOT NULL,
  expression text NOT NULL,
  -- The event that started the run does not cancel it, nor does an earlier one.
  after bigint NOT NULL DEFAULT 0,
  until timestamptz(3)
);
CREATE INDEX wait_run ON engine.wait (run_id);
CREATE INDEX wait_event ON engine.wait (event, key);

-- The processes that run jobs. One that does not renew its lease has lost its jobs to the others.
CREATE TABLE engine.worker (
  id uuid PRIMARY KEY,
  until timestamptz(3) NOT NULL
);
