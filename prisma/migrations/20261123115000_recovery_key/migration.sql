-- The keys of recovery codes that were made under an earlier HUB_SECRET. Expand only: older processes know no such codes.

CREATE TABLE recovery_key (
  -- SHA-256 of the key, so that each is retained once.
  fingerprint bytea PRIMARY KEY CHECK (octet_length(fingerprint) = 32),
  -- Encrypted with a key of the hub's secret.
  key bytea NOT NULL,
  created_at timestamptz(3) NOT NULL
);
