-- Inputs of a model that an account has saved by a name, for the playground.
CREATE TABLE input_preset (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  model text NOT NULL,
  name text NOT NULL,
  input jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT input_preset_is_bounded CHECK (char_length(name) BETWEEN 1 AND 60 AND octet_length(input::text) <= 131072)
);
CREATE UNIQUE INDEX input_preset_name ON input_preset (account_id, model, name);
