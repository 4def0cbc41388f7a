ALTER TABLE endpoint DROP CONSTRAINT endpoint_events_check,
  ADD CONSTRAINT endpoint_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'generation.running', 'generation.completed', 'payment.succeeded', 'payment.failed', 'payment.refunded',
    'balance.low', 'balance.exhausted', 'key.limit_reached', 'webhook.failing']);

-- What an account has changed about its alerts (docs/decisions/0113-alerts.md).
CREATE TABLE alert_setting (
  account_id integer PRIMARY KEY REFERENCES account,
  -- The balance below which it is low; null for what the last three days spent.
  low_amount bigint CHECK (low_amount > 0),
  -- An incoming webhook in Slack's format, encrypted.
  slack_url bytea,
  changed_at timestamptz(3) NOT NULL
);

-- The members who get alerts by e-mail.
CREATE TABLE alert_recipient (
  account_id integer NOT NULL,
  person_id integer NOT NULL,
  PRIMARY KEY (account_id, person_id),
  FOREIGN KEY (account_id, person_id) REFERENCES membership ON DELETE CASCADE
);

-- Whether an alert was raised and has not been cleared. One change of a row is one crossing.
CREATE TABLE alert (
  account_id integer NOT NULL REFERENCES account,
  event text NOT NULL,
  -- The key or endpoint; the nil UUID for the account.
  subject_id uuid NOT NULL,
  is_raised boolean NOT NULL,
  -- The balance or the key's limit when it was raised.
  level bigint NOT NULL,
  -- The first day of the key's period when it was raised.
  period date,
  changed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, event, subject_id)
);

-- Up to when changes were searched for crossings. Its lock lets one process search at a time.
CREATE TABLE alert_search (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  searched_until timestamptz(3)
);
INSERT INTO alert_search DEFAULT VALUES;

-- An alert that is to be sent by e-mail to a member, or without one to the account's Slack URL.
CREATE TABLE alert_message (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  person_id integer REFERENCES person,
  event text NOT NULL,
  data json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL
);
CREATE INDEX alert_message_due ON alert_message (next_attempt_at);
