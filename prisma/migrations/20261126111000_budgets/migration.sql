-- Budgets of accounts (docs/decisions/0115-budgets.md).
CREATE TABLE budget (
  id uuid PRIMARY KEY,
  -- No foreign key: it would lock the account while its charges are counted. No account is ever removed.
  account_id integer NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  amount bigint NOT NULL CHECK (amount > 0),
  "window" text NOT NULL CHECK ("window" IN ('hour', 'day', 'week', 'month', 'total')),
  -- One of {"keys": [id]}, {"member": id}, {"metadata": {key: value}} and {"each_end_user": true}.
  scope jsonb NOT NULL CHECK (
    jsonb_typeof(scope) = 'object' AND scope - ARRAY['keys', 'member', 'metadata', 'each_end_user'] = '{}'
    AND num_nonnulls(scope -> 'keys', scope -> 'member', scope -> 'metadata', scope -> 'each_end_user') = 1),
  -- Incremented when another window or scope is counted, whose spending has rows of its own.
  revision integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  -- When its amount, window or scope was last changed.
  changed_at timestamptz(3) NOT NULL
);
CREATE INDEX budget_account_id ON budget (account_id);

-- What counts against a budget in one window, for each end user if the budget is for each of them.
CREATE TABLE budget_spending (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  budget_id uuid NOT NULL REFERENCES budget ON DELETE CASCADE,
  revision integer NOT NULL,
  -- 1970 for a budget that never resets.
  starts_at timestamptz(3) NOT NULL,
  -- Empty unless the budget is for each end user.
  end_user text NOT NULL,
  -- The budget's amount at the last hold.
  amount bigint NOT NULL,
  reserved bigint NOT NULL CHECK (reserved >= 0),
  charged bigint NOT NULL,
  -- The part of `charged` by generations that had ended when the budget began to count.
  earlier bigint NOT NULL CHECK (earlier BETWEEN 0 AND charged),
  -- Settlements never raise the sum, so this rejects holds alone. An amount may be lowered below what is spent: the next hold
  -- is then rejected.
  CONSTRAINT budget_spending_within_amount CHECK (reserved + charged <= amount),
  CONSTRAINT budget_spending_of_window UNIQUE (budget_id, revision, starts_at, end_user)
) WITH (fillfactor = 50);

-- The rows of budget_spending that a generation counts in, fixed at its hold. Those that were removed since are ignored.
CREATE TABLE generation_budget (
  generation_id uuid PRIMARY KEY,
  spending_ids bigint[] NOT NULL CHECK (cardinality(spending_ids) > 0)
);

ALTER TABLE account ADD COLUMN has_budgets boolean NOT NULL DEFAULT false;

-- The person who started it in the console; null for API keys.
ALTER TABLE generation ADD COLUMN person_id integer;

-- The budget that did not cover the request.
ALTER TABLE rejected_request ADD COLUMN budget_id uuid;

ALTER TABLE endpoint DROP CONSTRAINT endpoint_events_check,
  ADD CONSTRAINT endpoint_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'generation.running', 'generation.completed', 'payment.succeeded', 'payment.failed', 'payment.refunded',
    'balance.low', 'balance.exhausted', 'key.limit_reached', 'budget.threshold', 'webhook.failing']);
