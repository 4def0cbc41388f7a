-- Attempts at real providers: an id of their own, what upstream reports meanwhile, and which routes were passed over.
ALTER TABLE attempt
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Set only if the provider has limits, so that counting its attempts costs others nothing.
  ADD COLUMN limited_provider text,
  -- What the failure says about its route.
  ADD COLUMN cause text CHECK (cause IN ('job', 'account', 'capacity', 'outage')),
  ADD COLUMN queue_position integer CHECK (queue_position >= 0),
  -- When upstream's callback came.
  ADD COLUMN reported_at timestamptz(3),
  -- The routes that came before this one and were not tried: [{"id", "route", "provider", "skipped"}].
  ADD COLUMN passed_over jsonb CHECK (jsonb_typeof(passed_over) = 'array'),
  ADD CONSTRAINT attempt_upstream_id_is_short CHECK (octet_length(upstream_id) <= 4096);

CREATE UNIQUE INDEX attempt_id_key ON attempt (id);
CREATE INDEX attempt_limited_open ON attempt (limited_provider) WHERE limited_provider IS NOT NULL AND ended_at IS NULL;
CREATE INDEX attempt_limited_started ON attempt (limited_provider, started_at) WHERE limited_provider IS NOT NULL;
-- For the operator: work that a provider may have billed although nobody got it.
CREATE INDEX attempt_lost ON attempt (started_at) WHERE outcome = 'lost' AND provider <> 'worker';

-- What the attempts of a provider with a spend limit cost on one day (UTC), in nano-euros.
CREATE TABLE provider_spending (
  provider text NOT NULL,
  day date NOT NULL,
  spent bigint NOT NULL CHECK (spent >= 0),
  PRIMARY KEY (provider, day)
);

-- How the routes fare: written when a circuit breaker changes, and otherwise seldom.
CREATE TABLE route_health (
  route text PRIMARY KEY,
  provider text NOT NULL,
  -- Until then no attempt is made; null while attempts are made.
  open_until timestamptz(3),
  -- Consecutive openings, which double the time.
  openings integer NOT NULL DEFAULT 0 CHECK (openings >= 0),
  reason text CHECK (reason IN ('account', 'capacity', 'outage')),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  -- The newest failure in the hub's words.
  last_error text,
  updated_at timestamptz(3) NOT NULL
);
