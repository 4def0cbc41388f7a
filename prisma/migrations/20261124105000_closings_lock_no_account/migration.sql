-- A closing has rows of every account. Checking that each account exists would lock all of them until it is committed, and
-- holds and settlements would wait. No account is ever removed.
ALTER TABLE account_closing DROP CONSTRAINT account_closing_account_id_fkey;
ALTER TABLE billing_closing DROP CONSTRAINT billing_closing_account_id_fkey;
