-- An alert of the hub's operators that is raised (docs/decisions/0103-operator-alerts.md). Inserting a row is one crossing,
-- deleting it says that it is over.
CREATE TABLE operator_alert (
  name text NOT NULL,
  -- The provider, the model, the disk or the payment.
  subject text NOT NULL,
  -- What was found when it was raised.
  detail text NOT NULL,
  raised_at timestamptz(3) NOT NULL,
  PRIMARY KEY (name, subject)
);

-- A message without an account is for operators: its data is what is sent, to an address or without one to the Slack URL.
ALTER TABLE alert_message
  ALTER COLUMN account_id DROP NOT NULL,
  ALTER COLUMN event DROP NOT NULL,
  ADD COLUMN email text,
  ADD CONSTRAINT alert_message_is_of_account_or_operators CHECK (
    (account_id IS NULL) = (event IS NULL) AND (account_id IS NOT NULL OR person_id IS NULL)
    AND (account_id IS NULL OR email IS NULL));
