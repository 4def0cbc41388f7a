-- What a person allowed an app at /oauth/authorize: the code that the app exchanges once, and the key that came of it
-- (docs/decisions/0048-oauth-for-mcp.md).
CREATE TABLE connection (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  client_id text NOT NULL CHECK (octet_length(client_id) BETWEEN 1 AND 4096),
  client_name text NOT NULL CHECK (char_length(client_name) BETWEEN 1 AND 100),
  redirect_uri text NOT NULL CHECK (octet_length(redirect_uri) BETWEEN 1 AND 1024),
  resource text NOT NULL,
  code_challenge text NOT NULL CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  code_hash bytea NOT NULL UNIQUE CHECK (octet_length(code_hash) = 32),
  code_expires_at timestamptz(3) NOT NULL,
  spend_limit bigint NOT NULL CHECK (spend_limit > 0),
  created_at timestamptz(3) NOT NULL,
  key_id uuid UNIQUE REFERENCES api_key,
  CONSTRAINT connection_code_is_short_lived CHECK (code_expires_at <= created_at + interval '60 seconds')
);
CREATE INDEX connection_by_account ON connection (account_id, id);
CREATE INDEX connection_by_unused_code ON connection (code_expires_at) WHERE key_id IS NULL;
