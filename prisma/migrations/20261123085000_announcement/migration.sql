-- What operators tell everybody who uses the console. The newest row counts, until it ends.
CREATE TABLE announcement (
  id uuid PRIMARY KEY,
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
  level text NOT NULL CHECK (level IN ('info', 'warning')),
  created_at timestamptz(3) NOT NULL,
  -- Null for one that stays until it is cleared or replaced.
  ends_at timestamptz(3)
);
