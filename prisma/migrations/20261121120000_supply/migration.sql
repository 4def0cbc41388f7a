-- What a generation still waited for when it was accepted, in the order of its input: [{"sha256", "kind"}]. While it
-- waits, what has arrived since is told by the files; once it has ended, this is what it lacked at the end.
ALTER TABLE generation ADD COLUMN missing jsonb;
ALTER TABLE generation ADD CONSTRAINT generation_awaits_what_is_missing CHECK (
  CASE status
    WHEN 'awaiting_supply' THEN missing IS NOT NULL AND jsonb_array_length(missing) > 0 AND deadline_at IS NOT NULL
      AND started_at IS NULL
    ELSE missing IS NULL OR (status IN ('failed', 'canceled') AND started_at IS NULL)
  END
);

-- By whom what is awaited: an account waits for its own content only.
CREATE FUNCTION supply_keys(account_id integer, missing jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT array_agg(account_id || ':' || (item ->> 'sha256')) FROM jsonb_array_elements(missing) AS item);
CREATE INDEX generation_awaited ON generation USING gin (supply_keys(account_id, missing)) WITH (fastupdate = off)
  WHERE status = 'awaiting_supply';
-- For the sweep, which looks at all that wait, the oldest first.
CREATE INDEX generation_waits_for_supply ON generation (id) WHERE status = 'awaiting_supply';
