-- What the operators' Status draws: written by the sweep from attempts, and where a breaker changes.
ALTER TABLE attempt ADD COLUMN first_token_ms integer;

CREATE TABLE work_hour (
  hour timestamptz(3) NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  succeeded integer NOT NULL,
  failed integer NOT NULL,
  rejected integer NOT NULL,
  canceled integer NOT NULL,
  billed bigint NOT NULL,
  provider_cost bigint NOT NULL,
  PRIMARY KEY (hour, provider, model),
  CONSTRAINT work_hour_is_counted CHECK (succeeded >= 0 AND failed >= 0 AND rejected >= 0 AND canceled >= 0)
);

CREATE TABLE work_time (
  hour timestamptz(3) NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  kind text NOT NULL,
  bucket integer NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (hour, provider, model, kind, bucket),
  CONSTRAINT work_time_kind CHECK (kind IN ('run', 'first_token')),
  CONSTRAINT work_time_is_counted CHECK (bucket >= 0 AND count > 0)
);

CREATE TABLE load_sample (
  at timestamptz(3) PRIMARY KEY,
  queued integer NOT NULL,
  running integer NOT NULL,
  workers integer NOT NULL,
  CONSTRAINT load_sample_is_counted CHECK (queued >= 0 AND running >= 0 AND workers >= 0)
);

CREATE TABLE breaker_change (
  route text NOT NULL,
  provider text NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  open_until timestamptz(3),
  reason text,
  PRIMARY KEY (route, changed_at),
  CONSTRAINT breaker_change_has_reason CHECK (reason IS NULL OR open_until IS NOT NULL)
);
CREATE INDEX breaker_change_by_time ON breaker_change (changed_at);
