-- An account's statement, narrowed to days or to credits, reads no more of the ledger than it shows.
CREATE INDEX ledger_entry_account_id_created_at_idx ON ledger_entry (account_id, created_at);
-- Credits are few among the charges.
CREATE INDEX ledger_entry_credits ON ledger_entry (account_id, id) WHERE kind = 'credit';
