-- A person with a role of the hub sees an account's console as its members do, for a while and without changing anything
-- (docs/decisions/0055-view-as.md).
CREATE TABLE account_view (
  id uuid PRIMARY KEY,
  -- The session that it belongs to. Without a reference, because the view outlives it until its end is recorded.
  session_id uuid NOT NULL,
  person_id integer NOT NULL REFERENCES person,
  account_id integer NOT NULL REFERENCES account,
  -- Whether a reason was given, without which prompts, outputs and files stay hidden.
  shows_content boolean NOT NULL,
  started_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT account_view_is_short CHECK (expires_at > started_at AND expires_at <= started_at + interval '15 minutes')
);
-- A session has one at a time.
CREATE UNIQUE INDEX account_view_open ON account_view (session_id) WHERE ended_at IS NULL;
