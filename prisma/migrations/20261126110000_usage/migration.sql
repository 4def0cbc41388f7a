-- Usage by time, model, key, end user and metadata (docs/decisions/0114-usage.md). Accounts are never removed, so no foreign
-- key locks one.

-- Generations that were settled without a charge, which have no ledger entry.
CREATE TABLE uncharged_settlement (
  account_id integer NOT NULL,
  settled_at timestamptz(3) NOT NULL,
  generation_id uuid NOT NULL,
  -- Whether the sums have it.
  is_summed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, settled_at, generation_id)
);
CREATE INDEX uncharged_settlement_open ON uncharged_settlement (account_id) WHERE NOT is_summed;

CREATE FUNCTION insert_uncharged_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncharged_settlement (account_id, settled_at, generation_id) VALUES (NEW.account_id, NEW.settled_at, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER generation_settles_uncharged AFTER UPDATE OF settled_at ON generation FOR EACH ROW
  WHEN (OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL AND coalesce(NEW.billed_cost, 0) = 0)
  EXECUTE FUNCTION insert_uncharged_settlement();
CREATE TRIGGER generation_starts_uncharged AFTER INSERT ON generation FOR EACH ROW
  WHEN (NEW.settled_at IS NOT NULL AND coalesce(NEW.billed_cost, 0) = 0)
  EXECUTE FUNCTION insert_uncharged_settlement();

-- The account's last ledger entry that the sums have. Its lock lets one process at a time sum up the account.
CREATE TABLE usage_mark (
  account_id integer PRIMARY KEY,
  entry_id bigint NOT NULL
);

-- Up to when the ledger was searched for accounts to sum up.
CREATE TABLE usage_search (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  searched_until timestamptz(3)
);
INSERT INTO usage_search DEFAULT VALUES;

-- What was settled in an hour, day or month (UTC), by model and key.
CREATE TABLE usage_sum (
  account_id integer NOT NULL,
  grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month')),
  at timestamptz(3) NOT NULL,
  model text NOT NULL,
  -- The nil UUID for generations without a key.
  key_id uuid NOT NULL,
  generations bigint NOT NULL,
  failed bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  billed bigint NOT NULL,
  PRIMARY KEY (account_id, grain, at, model, key_id)
);

-- A key of metadata by which an account wants sums.
CREATE TABLE usage_label (
  id serial PRIMARY KEY,
  account_id integer NOT NULL,
  name text NOT NULL,
  -- The sums begin with this day (UTC).
  since timestamptz(3) NOT NULL,
  -- The sweep removes its sums, and then the row.
  is_removed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX usage_label_name ON usage_label (account_id, name) WHERE NOT is_removed;

-- What was settled in a day or month (UTC), by end user (label 0) or by the value of a key of metadata.
CREATE TABLE usage_label_sum (
  account_id integer NOT NULL,
  label_id integer NOT NULL,
  grain text NOT NULL CHECK (grain IN ('day', 'month')),
  at timestamptz(3) NOT NULL,
  -- `(other)` for the values beyond the bound of a day.
  value text NOT NULL,
  generations bigint NOT NULL,
  failed bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  billed bigint NOT NULL,
  PRIMARY KEY (account_id, label_id, grain, at, value)
);
