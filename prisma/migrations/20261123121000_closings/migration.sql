-- Sums of months that are over and settled, from which the audit starts (docs/decisions/0069-closings.md).

CREATE TABLE ledger_closing (
  -- The first day of the month (UTC).
  month date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  closed_at timestamptz(3) NOT NULL,
  -- Closes the ledger up to this entry, from the one after the previous closing.
  last_entry_id bigint NOT NULL CHECK (last_entry_id >= 0),
  -- Closes the generations before this id, which is the lowest that can be made in the next month.
  before_id uuid NOT NULL,
  entries bigint NOT NULL CHECK (entries >= 0),
  generations bigint NOT NULL CHECK (generations >= 0),
  excess bigint NOT NULL CHECK (excess >= 0)
);

-- The ledger of one account in one month.
CREATE TABLE account_closing (
  month date NOT NULL REFERENCES ledger_closing,
  account_id integer NOT NULL REFERENCES account,
  entries bigint NOT NULL CHECK (entries > 0),
  amount bigint NOT NULL,
  PRIMARY KEY (month, account_id)
);

-- Generations that were created in one month.
CREATE TABLE billing_closing (
  month date NOT NULL REFERENCES ledger_closing,
  account_id integer NOT NULL REFERENCES account,
  -- The nil UUID for generations without a key.
  key_id uuid NOT NULL,
  model text NOT NULL,
  is_llm boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('succeeded', 'failed', 'canceled')),
  generations bigint NOT NULL CHECK (generations > 0),
  billed bigint NOT NULL CHECK (billed >= 0),
  excess bigint NOT NULL CHECK (excess >= 0),
  PRIMARY KEY (month, account_id, key_id, model, is_llm, status)
);

CREATE FUNCTION reject_closing_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'closings are append-only' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER reject_ledger_closing_change BEFORE UPDATE OR DELETE ON ledger_closing
  FOR EACH ROW EXECUTE FUNCTION reject_closing_change();
CREATE TRIGGER reject_ledger_closing_truncate BEFORE TRUNCATE ON ledger_closing
  FOR EACH STATEMENT EXECUTE FUNCTION reject_closing_change();
CREATE TRIGGER reject_account_closing_change BEFORE UPDATE OR DELETE ON account_closing
  FOR EACH ROW EXECUTE FUNCTION reject_closing_change();
CREATE TRIGGER reject_account_closing_truncate BEFORE TRUNCATE ON account_closing
  FOR EACH STATEMENT EXECUTE FUNCTION reject_closing_change();
CREATE TRIGGER reject_billing_closing_change BEFORE UPDATE OR DELETE ON billing_closing
  FOR EACH ROW EXECUTE FUNCTION reject_closing_change();
CREATE TRIGGER reject_billing_closing_truncate BEFORE TRUNCATE ON billing_closing
  FOR EACH STATEMENT EXECUTE FUNCTION reject_closing_change();

-- Whether an audit read everything; those of versions without closings did.
ALTER TABLE audit_verdict ADD COLUMN is_full boolean NOT NULL DEFAULT true;
