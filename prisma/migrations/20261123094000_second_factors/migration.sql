-- Second factors of people (docs/decisions/0058-second-factor.md).
ALTER TABLE account ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false;

-- Sessions of processes of version 0.2 count as signed in by password.
ALTER TABLE session
  ADD COLUMN first_step text NOT NULL DEFAULT 'password',
  -- When the password was last entered, or the person signed in.
  ADD COLUMN first_step_at timestamptz(3),
  -- When a second factor was last given in this session.
  ADD COLUMN verified_at timestamptz(3),
  -- When the person switched to the account.
  ADD COLUMN switched_at timestamptz(3),
  ADD CONSTRAINT session_first_step_check CHECK (first_step IN ('password', 'identity'));

CREATE TABLE passkey (
  id uuid PRIMARY KEY,
  person_id integer NOT NULL REFERENCES person,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL CHECK (octet_length(public_key) BETWEEN 1 AND 8192),
  -- How often it has signed, as it says itself; zero for one that does not count.
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3)
);
CREATE INDEX passkey_by_person ON passkey (person_id, id);

-- What a passkey of the session's person has to sign. Deleted when it is used.
CREATE TABLE passkey_challenge (
  session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('add', 'verify')),
  challenge text NOT NULL CHECK (char_length(challenge) BETWEEN 22 AND 100),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (session_id, purpose)
);

CREATE TABLE totp (
  person_id integer PRIMARY KEY REFERENCES person,
  -- Encrypted. Null until the first code was entered.
  secret bytea,
  -- The secret of an app that is being set up.
  new_secret bytea,
  added_at timestamptz(3),
  -- The step of the newest code that was accepted; older ones are rejected.
  last_step bigint,
  CONSTRAINT totp_is_complete CHECK ((secret IS NULL) = (added_at IS NULL) AND (secret IS NULL) = (last_step IS NULL)),
  CONSTRAINT totp_has_secret CHECK (secret IS NOT NULL OR new_secret IS NOT NULL)
);

-- A code is deleted when it is used.
CREATE TABLE recovery_code (
  person_id integer NOT NULL REFERENCES person,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (person_id, hash)
);
