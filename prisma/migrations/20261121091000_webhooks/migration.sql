-- Webhooks: who is told (endpoint), what (event), each telling (delivery), and each try of it (delivery_attempt).

-- Set when the account makes its first endpoint or first reads the feed; until then its events are not written down.
ALTER TABLE account ADD COLUMN follows_events boolean NOT NULL DEFAULT false;

CREATE TABLE endpoint (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  -- An account has five places for active endpoints.
  place smallint NOT NULL CHECK (place BETWEEN 1 AND 5),
  url text NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) > 0 AND events <@ ARRAY['generation.running', 'generation.completed']),
  -- Sealed with the id of the endpoint.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_until timestamptz(3),
  last_error json,
  -- Its last attempt took long, so that fewer may be under way at once.
  slow boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE UNIQUE INDEX endpoint_place ON endpoint (account_id, place) WHERE revoked_at IS NULL;
CREATE INDEX endpoint_account_id_id_idx ON endpoint (account_id, id);
CREATE INDEX endpoint_revoked ON endpoint (revoked_at) WHERE revoked_at IS NOT NULL;

-- Numbers of one account's events grow in the order of their commits: they are taken under the lock of the account.
CREATE TABLE event (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  account_id integer NOT NULL REFERENCES account (id),
  name text NOT NULL,
  -- Null for a test.
  generation_id uuid REFERENCES generation (id),
  created_at timestamptz(3) NOT NULL,
  -- The generation as it was, until its JSON is written for the first time; from then on that text alone.
  snapshot json,
  data text,
  CHECK ((snapshot IS NULL) <> (data IS NULL)),
  UNIQUE (generation_id, name)
);
CREATE INDEX event_feed ON event (account_id, n) WHERE generation_id IS NOT NULL;
CREATE INDEX event_age ON event (created_at);

CREATE TABLE delivery (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL REFERENCES endpoint (id) ON DELETE CASCADE,
  event_n bigint NOT NULL REFERENCES event (n) ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'succeeded', 'failed', 'canceled')),
  -- A redelivery begins a new round, with the whole schedule before it.
  round integer NOT NULL DEFAULT 1 CHECK (round >= 1),
  -- Of this round.
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- While an attempt is under way: when it counts as lost.
  next_attempt_at timestamptz(3),
  -- When the sweep tells the engine again, unless something happens before.
  nudge_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  UNIQUE (endpoint_id, event_n),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL) AND (state = 'pending') = (nudge_at IS NOT NULL))
);
CREATE INDEX delivery_event ON delivery (event_n);
CREATE INDEX delivery_pending ON delivery (endpoint_id) WHERE state = 'pending';
CREATE INDEX delivery_nudge ON delivery (nudge_at) WHERE state = 'pending';

CREATE TABLE delivery_attempt (
  delivery_id uuid NOT NULL REFERENCES delivery (id) ON DELETE CASCADE,
  round integer NOT NULL,
  n integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  status integer,
  -- The first bytes of the answer.
  response text,
  error text,
  PRIMARY KEY (delivery_id, round, n),
  CHECK ((status IS NULL) = (error IS NOT NULL))
);
