-- What an account owes after payments were taken back that it had already spent (docs/decisions/0060-debt.md). Debt and
-- available balance exclude each other: what becomes available pays the debt first, so that holds need no new condition.
ALTER TABLE account
  ADD COLUMN owed bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT account_owed_is_not_negative CHECK (owed >= 0),
  ADD CONSTRAINT account_owes_without_available CHECK (owed = 0 OR balance = reserved);

-- `refund` and `dispute` take a payment back, or return what was taken; `repayment` pays debt.
ALTER TABLE ledger_entry
  DROP CONSTRAINT ledger_entry_kind_check,
  ADD CONSTRAINT ledger_entry_kind_check CHECK (kind IN ('credit', 'charge', 'refund', 'dispute', 'repayment')) NOT VALID,
  ADD CONSTRAINT ledger_entry_repayment_is_negative CHECK (kind <> 'repayment' OR amount < 0) NOT VALID;
ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_kind_check;
ALTER TABLE ledger_entry VALIDATE CONSTRAINT ledger_entry_repayment_is_negative;
-- They are few among the charges, like credits.
CREATE INDEX ledger_entry_reversals ON ledger_entry (account_id, id) WHERE kind IN ('refund', 'dispute', 'repayment');
