-- The vectors of large answers that may be asked for again (docs/decisions/0083-vector-pieces.md).

CREATE TABLE vector_piece (
  generation_id uuid NOT NULL REFERENCES generation,
  n integer NOT NULL CHECK (n >= 0),
  content bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (generation_id, n)
);

-- Numbers do not compress.
ALTER TABLE vector_piece ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE INDEX vector_piece_age ON vector_piece (created_at);
