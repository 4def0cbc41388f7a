-- Accounts whose budgets were erased when they closed still say that they have some.
UPDATE account SET has_budgets = false WHERE id IN (
  SELECT id FROM account a WHERE has_budgets AND NOT EXISTS (SELECT FROM budget WHERE account_id = a.id)
  ORDER BY id FOR UPDATE);
