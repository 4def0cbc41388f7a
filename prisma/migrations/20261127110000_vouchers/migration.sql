-- Vouchers and promotional credit (docs/decisions/0131-promotional-credit.md).

-- The part of the balance that was given away: spent before what was paid, and never refunded.
ALTER TABLE account ADD COLUMN promotional bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION account_is_valid(a account) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN a.email = lower(a.email)
    -- The balance covers what is held, and all paid credit of an account that owes is held.
    AND a.reserved BETWEEN 0 AND a.balance
    AND a.promotional BETWEEN 0 AND a.balance
    AND a.owed >= 0
    AND (a.owed = 0 OR a.balance - a.promotional <= a.reserved)
    AND a.running >= 0
    AND a.upload_bytes >= 0
    AND a.sign_up_credit > 0
    AND a.reply_retention_days BETWEEN 1 AND 30
    AND a.weight BETWEEN 1 AND 100;
END $$;

-- How much of the amount was promotional credit.
ALTER TABLE ledger_entry ADD COLUMN promotional bigint NOT NULL DEFAULT 0;
ALTER TABLE account_closing ADD COLUMN promotional bigint NOT NULL DEFAULT 0;
ALTER TABLE money_hour ADD COLUMN promotional_change bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION ledger_entry_is_valid(e ledger_entry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN e.kind IN ('credit', 'charge', 'refund', 'dispute', 'repayment', 'given_up', 'promotional')
    AND e.amount <> 0
    AND (e.kind NOT IN ('charge', 'repayment', 'given_up') OR e.amount < 0)
    AND (e.kind = 'charge') = (e.generation_id IS NOT NULL)
    AND CASE
          WHEN e.kind = 'promotional' THEN e.promotional = e.amount
          -- Only what is spent or given up takes of both kinds.
          WHEN e.kind IN ('charge', 'given_up') THEN e.promotional BETWEEN e.amount AND 0
          ELSE e.promotional = 0
        END;
END $$;

CREATE TABLE voucher (
  id uuid PRIMARY KEY,
  -- The keyed hash of the code, and its first characters, by which people recognize it.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  prefix text NOT NULL,
  note text CHECK (length(note) BETWEEN 1 AND 200),
  amount bigint NOT NULL CHECK (amount > 0),
  max_redemptions integer NOT NULL,
  redemptions integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT voucher_within_max_redemptions CHECK (redemptions BETWEEN 0 AND max_redemptions)
);

-- Each account redeems a voucher once.
CREATE TABLE voucher_redemption (
  voucher_id uuid NOT NULL REFERENCES voucher,
  account_id integer NOT NULL REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (voucher_id, account_id)
);
CREATE INDEX voucher_redemption_by_account ON voucher_redemption (account_id);
