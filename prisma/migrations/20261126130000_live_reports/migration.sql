-- What is shown of a generation only while it runs. Unlogged, because a crash may lose it: it is never billed or kept.
CREATE UNLOGGED TABLE generation_log (
  generation_id uuid NOT NULL REFERENCES generation ON DELETE CASCADE,
  n bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz(3) NOT NULL,
  line text NOT NULL CHECK (char_length(line) <= 500),
  -- The attempt, and where the line ends in the provider's log; null for a line that was sent alone.
  attempt integer NOT NULL,
  position integer,
  PRIMARY KEY (generation_id, n)
);

CREATE UNLOGGED TABLE generation_preview (
  generation_id uuid PRIMARY KEY REFERENCES generation ON DELETE CASCADE,
  -- How many previews there were.
  n integer NOT NULL,
  at timestamptz(3) NOT NULL,
  -- A WebP.
  content bytea NOT NULL CHECK (octet_length(content) <= 262144)
);
