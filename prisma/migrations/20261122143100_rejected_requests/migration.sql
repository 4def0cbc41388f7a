-- REST requests of an API key that were answered with an error, for seven days.
CREATE TABLE rejected_request (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  key_id uuid NOT NULL REFERENCES api_key (id),
  created_at timestamptz(3) NOT NULL,
  request_id text NOT NULL CHECK (length(request_id) BETWEEN 1 AND 128),
  method text NOT NULL CHECK (length(method) BETWEEN 1 AND 16),
  path text NOT NULL CHECK (length(path) BETWEEN 1 AND 300),
  status integer NOT NULL CHECK (status BETWEEN 400 AND 599),
  code text NOT NULL,
  message text NOT NULL CHECK (length(message) <= 500)
);
CREATE INDEX rejected_request_account_id_created_at_id_idx ON rejected_request (account_id, created_at, id);
CREATE INDEX rejected_request_account_id_key_id_created_at_id_idx ON rejected_request (account_id, key_id, created_at, id);
CREATE INDEX rejected_request_account_id_code_created_at_id_idx ON rejected_request (account_id, code, created_at, id);
CREATE INDEX rejected_request_account_id_request_id_idx ON rejected_request (account_id, request_id);
CREATE INDEX rejected_request_created_at_idx ON rejected_request (created_at);

-- How many such requests an account had in a minute, so that only so many of them are kept in all processes together.
CREATE TABLE rejected_request_count (
  account_id integer NOT NULL REFERENCES account (id),
  minute timestamptz(3) NOT NULL,
  offered integer NOT NULL CHECK (offered >= 0),
  dropped integer NOT NULL CHECK (dropped >= 0),
  PRIMARY KEY (account_id, minute)
);
CREATE INDEX rejected_request_count_minute_idx ON rejected_request_count (minute);
