-- When a stream of the account's changes was last open; null if none was for some days (docs/decisions/0117-live-events.md).
ALTER TABLE account ADD COLUMN changes_read_at timestamptz(3);

-- The changes of status of generations whose accounts follow them, for streams that resume.
CREATE TABLE generation_change (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The transaction that made the change: its numbers, unlike those of rows, tell what may still be committed.
  xid bigint NOT NULL,
  account_id integer NOT NULL REFERENCES account,
  generation_id uuid NOT NULL,
  -- 0 for awaiting supply; 2f + 1 for queued after f leases; 2f for running, and 2 without leases; the largest for the end.
  step integer NOT NULL CHECK (step >= 0),
  read_at timestamptz(3) NOT NULL
);
CREATE INDEX generation_change_by_xid ON generation_change (xid);
CREATE INDEX generation_change_by_account ON generation_change (account_id, xid);
CREATE INDEX generation_change_by_time ON generation_change (read_at);

CREATE FUNCTION log_generation_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO generation_change (xid, account_id, generation_id, step, read_at)
  SELECT pg_current_xact_id()::text::bigint, NEW.account_id, NEW.id,
         CASE NEW.status WHEN 'awaiting_supply' THEN 0 WHEN 'queued' THEN 2 * NEW.fence + 1
                         WHEN 'running' THEN 2 * greatest(NEW.fence, 1) ELSE 2147483647 END,
         account.changes_read_at
  FROM account WHERE id = NEW.account_id AND changes_read_at IS NOT NULL;
  RETURN NULL;
END $$;

-- Chats are read from their events, so that they pay nothing here.
CREATE TRIGGER log_new_generation AFTER INSERT ON generation FOR EACH ROW WHEN (NOT NEW.is_llm)
  EXECUTE FUNCTION log_generation_change();
CREATE TRIGGER log_generation_change AFTER UPDATE OF status ON generation FOR EACH ROW
  WHEN (NOT NEW.is_llm AND OLD.status <> NEW.status) EXECUTE FUNCTION log_generation_change();
