-- Keys can be changed, paused, restricted to models, and given a new secret.
ALTER TABLE api_key
  ADD COLUMN paused_at timestamptz(3),
  -- The ids of models; null allows all models of the account.
  ADD COLUMN allowed_models jsonb CHECK (
    jsonb_typeof(allowed_models) = 'array' AND jsonb_array_length(allowed_models) BETWEEN 1 AND 100),
  ADD COLUMN previous_hash bytea UNIQUE CHECK (octet_length(previous_hash) = 32 AND previous_hash <> hash),
  ADD COLUMN previous_prefix text,
  ADD COLUMN previous_expires_at timestamptz(3),
  ADD CONSTRAINT api_key_previous_secret_is_complete CHECK (
    num_nulls(previous_hash, previous_prefix, previous_expires_at) IN (0, 3));

-- A statement that moves money reads the limits of keys from its snapshot, and the account from the row that it locks.
-- If the version of the two differs, a limit was changed in between, and the statement must run again.
ALTER TABLE account ADD COLUMN key_limits_version integer NOT NULL DEFAULT 0;
CREATE FUNCTION reject_stale_key_limits() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the limits of the account''s keys have changed' USING ERRCODE = 'serialization_failure';
END $$;

-- A limit may be lowered below what is spent. It then rejects every further hold, and nothing else.
ALTER TABLE key_spending DROP CONSTRAINT key_spending_within_limit;
CREATE FUNCTION reject_hold_above_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the hold violates "key_spending_within_limit"'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'key_spending_within_limit';
END $$;
CREATE TRIGGER key_spending_within_limit BEFORE UPDATE ON key_spending FOR EACH ROW
  WHEN (NEW.reserved > OLD.reserved AND NEW.reserved + NEW.charged > NEW.spend_limit)
  EXECUTE FUNCTION reject_hold_above_limit();
CREATE TRIGGER key_spending_starts_within_limit BEFORE INSERT ON key_spending FOR EACH ROW
  WHEN (NEW.reserved + NEW.charged > NEW.spend_limit)
  EXECUTE FUNCTION reject_hold_above_limit();
