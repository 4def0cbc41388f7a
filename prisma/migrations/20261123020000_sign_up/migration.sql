ALTER TABLE account
  -- Trial credit that it receives once its e-mail address is verified; null if none is due.
  ADD COLUMN sign_up_credit bigint CHECK (sign_up_credit > 0),
  -- When its owner hid the first steps of the console.
  ADD COLUMN first_steps_hidden_at timestamptz(3);

-- Whoever has generated something knows the way.
UPDATE account SET first_steps_hidden_at = created_at
WHERE EXISTS (SELECT FROM generation WHERE generation.account_id = account.id);
