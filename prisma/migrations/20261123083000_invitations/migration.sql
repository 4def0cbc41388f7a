-- Who is invited to act for an account. A row ends with the acceptance or the withdrawal.
CREATE TABLE invitation (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('owner', 'billing', 'developer', 'viewer')),
  -- SHA-256 of the token of the mailed link.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  invited_by integer NOT NULL REFERENCES person,
  created_at timestamptz(3) NOT NULL,
  -- When the newest link was sent.
  sent_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  UNIQUE (account_id, email)
);
