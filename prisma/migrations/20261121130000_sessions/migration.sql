-- Sign-in: sessions that end everywhere at once, identities at other services, forgotten passwords.

-- Sessions carry the version they were made under; a new one ends them all.
ALTER TABLE account ADD COLUMN session_version integer NOT NULL DEFAULT 1;
-- Since when the address is known to be the account's own.
ALTER TABLE account ADD COLUMN email_verified_at timestamptz(3);
-- Until now only the operator made accounts.
UPDATE account SET email_verified_at = created_at;

CREATE TABLE identity (
  provider text NOT NULL,
  subject text NOT NULL,
  account_id integer NOT NULL REFERENCES account (id),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (provider, subject)
);
CREATE INDEX identity_account_id_idx ON identity (account_id);

-- One link of each account counts: the latest.
CREATE TABLE password_reset (
  account_id integer PRIMARY KEY REFERENCES account (id),
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Keys: when they were last used, and what they may spend.
ALTER TABLE api_key
  ADD COLUMN last_used_at timestamptz(3),
  ADD COLUMN spend_limit bigint CHECK (spend_limit > 0),
  ADD COLUMN spend_limit_reset text CHECK (spend_limit_reset IN ('day', 'month')),
  ADD CONSTRAINT api_key_reset_has_a_limit CHECK (spend_limit_reset IS NULL OR spend_limit IS NOT NULL);

-- What a key with a limit holds and was charged in one UTC day or month; the period of one without reset begins in 1970.
-- A generation counts in the period in which it was accepted.
CREATE TABLE key_spending (
  key_id uuid NOT NULL REFERENCES api_key (id),
  period date NOT NULL,
  -- The key's own, which never changes.
  spend_limit bigint NOT NULL,
  reserved bigint NOT NULL CHECK (reserved >= 0),
  charged bigint NOT NULL CHECK (charged >= 0),
  PRIMARY KEY (key_id, period),
  CONSTRAINT key_spending_within_limit CHECK (reserved + charged <= spend_limit)
) WITH (fillfactor = 70);

-- What keys without a limit were charged is a sum of these totals, so they are kept by key; nil for what no key asked for.
ALTER TABLE billing_total DROP CONSTRAINT billing_total_pkey;
ALTER TABLE billing_total ADD COLUMN key_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';
DELETE FROM billing_total;
INSERT INTO billing_total (account_id, key_id, model, is_llm, status, billed)
SELECT account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'), model, is_llm, status, sum(billed_cost)
FROM generation WHERE billed_cost > 0 GROUP BY 1, 2, 3, 4, 5;
ALTER TABLE billing_total ADD PRIMARY KEY (account_id, key_id, model, is_llm, status);
ALTER TABLE billing_total ALTER COLUMN key_id DROP DEFAULT;
