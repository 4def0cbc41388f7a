-- Attempts at real providers: an id of their own, what upstream reports meanwhile, and which routes were passed over.
ALTER TABLE attempt
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Set only if the provider has limits, so that counting its attempts costs others nothing.
  ADD COLUMN limited_provider text,
  -- It holds a place at that provider and is not submitted yet.
  ADD COLUMN reserved boolean NOT NULL DEFAULT false,
  -- What it counts on a day of provider_spending until its end tells the cost, in nano-euros.
  ADD COLUMN budget_day date,
  ADD COLUMN budget_cost bigint CHECK (budget_cost >= 0),
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

-- Why a generation waits: for a provider with limits (`awaits` is its id), or for a route that cools down (the route's id).
CREATE TABLE route_wait (
  awaits text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('at_capacity', 'over_budget', 'cooling_down')),
  generation_id uuid NOT NULL REFERENCES generation (id),
  -- The generation's account.
  account_id integer NOT NULL,
  -- When the generation found no route for the first time, and the last time. Those that wait longest come first.
  since timestamptz(3) NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  -- When it was dispatched to try again.
  woken_at timestamptz(3),
  PRIMARY KEY (awaits, reason, generation_id)
);

CREATE INDEX route_wait_generation ON route_wait (generation_id);
CREATE INDEX route_wait_account ON route_wait (account_id);
CREATE INDEX route_wait_order ON route_wait (awaits, reason, since, generation_id);
CREATE INDEX route_wait_woken ON route_wait (awaits, woken_at) WHERE woken_at IS NOT NULL;

-- How the routes fare: written when a circuit breaker changes, after a failure, and seldom after a success.
CREATE TABLE route_health (
  route text PRIMARY KEY,
  provider text NOT NULL,
  -- When the breaker opened, and until when no attempt is made; null while it is closed.
  opened_at timestamptz(3),
  open_until timestamptz(3),
  -- Consecutive openings for the same reason, which double the time.
  openings integer NOT NULL DEFAULT 0 CHECK (openings >= 0),
  reason text CHECK (reason IN ('account', 'capacity', 'outage')),
  -- When the breaker changed; an older change never replaces a newer one.
  changed_at timestamptz(3),
  -- The one generation that tries whether the route works again, and until when the others wait for it.
  trial_generation uuid,
  trial_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  -- The newest failure in the hub's words.
  last_error text
);
