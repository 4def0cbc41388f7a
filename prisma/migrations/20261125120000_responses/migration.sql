-- What later requests refer to of OpenAI's Responses, encrypted (docs/responses.md).

CREATE TABLE response (
  generation_id uuid PRIMARY KEY REFERENCES generation (id),
  account_id integer NOT NULL REFERENCES account (id),
  -- The generation of the response before it, which may have been deleted.
  previous_id uuid CHECK (previous_id <> generation_id),
  -- The items of its request, and the whole response: JSON, encrypted with a key of HUB_SECRET.
  input bytea NOT NULL CHECK (octet_length(input) BETWEEN 30 AND 4194304),
  answer bytea NOT NULL CHECK (octet_length(answer) BETWEEN 30 AND 4194304),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);

-- Encrypted bytes do not compress.
ALTER TABLE response ALTER COLUMN input SET STORAGE EXTERNAL;
ALTER TABLE response ALTER COLUMN answer SET STORAGE EXTERNAL;

CREATE INDEX response_expires_at_idx ON response (expires_at);
CREATE INDEX response_account_id_expires_at_idx ON response (account_id, expires_at);
