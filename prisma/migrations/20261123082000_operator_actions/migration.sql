-- Every change by an operator, in the console or by a command (docs/decisions/0056-audit-log.md).
CREATE TABLE operator_action (
  id uuid PRIMARY KEY,
  created_at timestamptz(3) NOT NULL,
  -- Null at the command line.
  person_id integer REFERENCES person,
  via text NOT NULL CHECK (via IN ('console', 'cli')),
  action text NOT NULL CHECK (action ~ '^[a-z-]+\.[a-z-]+$'),
  target_kind text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  CONSTRAINT operator_action_has_person CHECK ((person_id IS NULL) = (via = 'cli'))
);
CREATE INDEX operator_action_by_action ON operator_action (action, id);
CREATE INDEX operator_action_by_person ON operator_action (person_id, id);
CREATE INDEX operator_action_by_target ON operator_action (target_kind, target_id, id);

-- What is about people in it, which can be erased.
CREATE TABLE operator_action_text (
  action_id uuid PRIMARY KEY REFERENCES operator_action,
  -- The e-mail address of the operator, or the name of the system's user.
  operator text NOT NULL,
  address text,
  reason text CHECK (char_length(reason) <= 1000),
  -- Such as the e-mail address of an account.
  details jsonb
);

CREATE FUNCTION reject_operator_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER reject_operator_action_change BEFORE UPDATE OR DELETE ON operator_action
  FOR EACH ROW EXECUTE FUNCTION reject_operator_action_change();
CREATE TRIGGER reject_operator_action_truncate BEFORE TRUNCATE ON operator_action
  FOR EACH STATEMENT EXECUTE FUNCTION reject_operator_action_change();
