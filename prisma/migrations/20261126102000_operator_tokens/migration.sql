-- Tokens by which operators' programs use the management API (docs/decisions/0111-management-api.md).
CREATE TABLE operator_token (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
  prefix text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  role text NOT NULL CHECK (role IN ('operator', 'auditor')),
  -- What credits and corrections may move in a day in UTC, in nano-euros; null for no limit.
  daily_credit bigint CHECK (daily_credit > 0),
  -- The day of the last credit or correction, and what was moved on it.
  credit_day date,
  moved bigint NOT NULL DEFAULT 0 CHECK (moved >= 0),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT operator_token_within_daily_credit CHECK (moved <= daily_credit)
);
CREATE UNIQUE INDEX operator_token_active_name ON operator_token (name) WHERE revoked_at IS NULL;

ALTER TABLE operator_action
  ADD COLUMN token_id uuid REFERENCES operator_token,
  DROP CONSTRAINT operator_action_has_person,
  DROP CONSTRAINT operator_action_via_check,
  ADD CONSTRAINT operator_action_via_check CHECK (via IN ('console', 'cli', 'api')),
  ADD CONSTRAINT operator_action_has_actor
    CHECK ((person_id IS NOT NULL) = (via = 'console') AND (token_id IS NOT NULL) = (via = 'api'));
