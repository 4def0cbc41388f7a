-- Token buckets that all processes share. Unlogged, because they are written often and a crash may well fill them.
CREATE UNLOGGED TABLE rate_limit (
  id uuid PRIMARY KEY,
  full_at timestamptz NOT NULL
) WITH (fillfactor = 50);
