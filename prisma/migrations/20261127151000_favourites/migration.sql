-- Generations that members of an account have marked with a star.
CREATE TABLE favourite (
  generation_id uuid PRIMARY KEY REFERENCES generation,
  account_id integer NOT NULL REFERENCES account,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX favourite_newest ON favourite (account_id, generation_id);
