-- Limits of keys: requests and tokens a minute, and the networks from which a key may be used.
ALTER TABLE api_key
  ADD COLUMN requests_per_minute integer CHECK (requests_per_minute BETWEEN 1 AND 1000000),
  ADD COLUMN tokens_per_minute integer CHECK (tokens_per_minute BETWEEN 1 AND 1000000000),
  -- Addresses and CIDR ranges; null allows all.
  ADD COLUMN allowed_ips jsonb CHECK (
    jsonb_typeof(allowed_ips) = 'array' AND jsonb_array_length(allowed_ips) BETWEEN 1 AND 50);

-- What a key with such a limit used in each of the last seconds. Logged, so that a crash does not give a minute twice.
CREATE TABLE key_rate (
  key_id uuid NOT NULL REFERENCES api_key,
  unit text NOT NULL CHECK (unit IN ('requests', 'tokens')),
  -- Amounts by second, in Unix time.
  seconds jsonb NOT NULL CHECK (jsonb_typeof(seconds) = 'object'),
  PRIMARY KEY (key_id, unit)
) WITH (fillfactor = 50);
