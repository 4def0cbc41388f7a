-- Closing accounts and erasing people (docs/decisions/0124-closing-and-erasing.md).

-- While `closes_at` is set, an account accepts no new work. `closed_at` is set once its money is settled, and never removed.
ALTER TABLE account ADD COLUMN closes_at timestamptz(3), ADD COLUMN closed_at timestamptz(3);

CREATE TABLE closure (
  account_id integer PRIMARY KEY REFERENCES account,
  requested_at timestamptz(3) NOT NULL,
  -- The owner who asked for it; null for an operator.
  person_id integer REFERENCES person,
  -- Whether the whole balance is given up; otherwise payments are refunded first.
  gives_up_balance boolean NOT NULL,
  -- When its tombstone was written; nothing is erased before.
  tombstone_at timestamptz(3),
  erased_at timestamptz(3),
  CONSTRAINT closure_has_tombstone CHECK (erased_at IS NULL OR tombstone_at IS NOT NULL)
);
CREATE INDEX closure_unfinished ON closure (account_id) WHERE erased_at IS NULL;

-- What has to be erased: people who were erased a moment ago, and what a restored backup had again.
CREATE TABLE pending_erasure (
  kind text NOT NULL CHECK (kind IN ('account', 'generation', 'input', 'person')),
  id text NOT NULL,
  PRIMARY KEY (kind, id)
);

CREATE OR REPLACE FUNCTION ledger_entry_is_valid(e ledger_entry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN e.kind IN ('credit', 'charge', 'refund', 'dispute', 'repayment', 'given_up')
    AND e.amount <> 0
    AND (e.kind NOT IN ('charge', 'repayment', 'given_up') OR e.amount < 0)
    AND (e.kind = 'charge') = (e.generation_id IS NOT NULL);
END $$;

-- A closed account has no members.
CREATE OR REPLACE FUNCTION reject_account_without_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM account WHERE id = OLD.account_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT FROM membership WHERE account_id = OLD.account_id AND role = 'owner')
    AND NOT EXISTS (SELECT FROM account WHERE id = OLD.account_id AND closed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'account % would have no owner', OLD.account_id USING ERRCODE = 'check_violation', CONSTRAINT = 'membership_has_owner';
  END IF;
  RETURN NULL;
END $$;
