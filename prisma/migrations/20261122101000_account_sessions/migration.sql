-- Console sessions as rows, so that one of them can be listed and ended by itself.

CREATE TABLE session (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  -- The account's session_version when it began; a newer one has ended it.
  version integer NOT NULL,
  -- What the browser calls itself, in words for people.
  browser text NOT NULL CHECK (length(browser) <= 100),
  created_at timestamptz(3) NOT NULL,
  -- To the minute. Not indexed, so that an update rewrites no index.
  last_seen_at timestamptz(3) NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX session_account_id_idx ON session (account_id);
CREATE INDEX session_created_at_idx ON session (created_at);
