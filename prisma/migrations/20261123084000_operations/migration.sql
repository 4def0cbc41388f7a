-- What the operator's console shows (docs/decisions/0057-operators-figures.md).

-- Sums of the ledger and of what providers took, in one hour (UTC). Recomputed while the hour may still change.
CREATE TABLE money_hour (
  hour timestamptz(3) PRIMARY KEY,
  -- Of all ledger entries; the sum of all hours is the sum of all balances.
  balance_change bigint NOT NULL,
  billed bigint NOT NULL,
  provider_cost bigint NOT NULL
);
-- Rows arrive in about the order of these times, so that a range of them is a few pages.
CREATE INDEX ledger_entry_by_time ON ledger_entry USING brin (created_at) WITH (pages_per_range = 16, autosummarize = on);
CREATE INDEX attempt_by_end ON attempt USING brin (ended_at) WITH (pages_per_range = 16, autosummarize = on);

-- The outcome of an audit.
CREATE TABLE audit_verdict (
  id uuid PRIMARY KEY,
  finished_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  entries bigint NOT NULL,
  violations integer NOT NULL,
  -- The first of them.
  examples jsonb NOT NULL
);

-- What operators write down about an account.
CREATE TABLE account_note (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  person_id integer NOT NULL REFERENCES person,
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX account_note_by_account ON account_note (account_id, id);

-- For the search of accounts: the beginnings and the domains of addresses, and the beginnings of keys.
CREATE INDEX account_by_email ON account (email text_pattern_ops);
CREATE INDEX account_by_domain ON account (reverse(email) text_pattern_ops);
CREATE INDEX person_by_email ON person (email text_pattern_ops);
CREATE INDEX api_key_by_prefix ON api_key (prefix text_pattern_ops);
