-- Budgets count end users by a keyed hash, so that their names can be erased (docs/decisions/0115-budgets.md). No released version
-- has budgets. Names cannot be hashed here, without the key, so what they have spent in open windows is forgotten.
DELETE FROM budget_spending WHERE end_user <> '';
ALTER TABLE budget_spending
  DROP CONSTRAINT budget_spending_of_window,
  DROP COLUMN end_user,
  -- Empty unless the budget is for each end user.
  ADD COLUMN end_user_hash bytea NOT NULL DEFAULT '' CHECK (octet_length(end_user_hash) IN (0, 32)),
  ADD CONSTRAINT budget_spending_of_window UNIQUE (budget_id, revision, starts_at, end_user_hash);
ALTER TABLE budget_spending ALTER COLUMN end_user_hash DROP DEFAULT;

-- The key of these hashes, which the first start creates.
CREATE TABLE end_user_key (
  -- There is one.
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- Encrypted with a key of the hub's secret.
  key bytea NOT NULL
);
