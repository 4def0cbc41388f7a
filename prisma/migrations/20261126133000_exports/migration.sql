-- Exports of an account's data as one ZIP archive (docs/decisions/0125-exports.md).
CREATE TABLE account_export (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  by_operator boolean NOT NULL,
  state text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Where the next part of the archive begins.
  position jsonb NOT NULL,
  -- What the parts that are stored have: their number, the bytes of the archive, its files and those that are missing.
  parts integer NOT NULL DEFAULT 0,
  size bigint NOT NULL DEFAULT 0,
  entries bigint NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0,
  -- The rows and files that are in the archive, and those that were counted when it began.
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  -- Since the last part was stored.
  failures integer NOT NULL DEFAULT 0,
  -- Files whose content the storage has, but could not read several times.
  unreadable uuid[] NOT NULL,
  next_attempt_at timestamptz(3) NOT NULL,
  lease_id uuid,
  lease_expires_at timestamptz(3),
  ended_at timestamptz(3),
  -- When its content is removed.
  expires_at timestamptz(3),
  removed_at timestamptz(3),
  error text,
  CONSTRAINT account_export_is_valid CHECK (
    state IN ('running', 'ready', 'failed', 'deleted')
    AND (state = 'running') = (ended_at IS NULL) AND (state = 'running') = (expires_at IS NULL)
    AND (state = 'failed') = (error IS NOT NULL) AND (lease_id IS NULL) = (lease_expires_at IS NULL)
    AND (removed_at IS NULL OR state <> 'running') AND parts >= 0 AND size >= 0)
);
CREATE UNIQUE INDEX account_export_running ON account_export (account_id) WHERE state = 'running';
CREATE INDEX account_export_by_account ON account_export (account_id, id);
CREATE INDEX account_export_stored ON account_export (expires_at) WHERE removed_at IS NULL;
CREATE INDEX account_export_removed ON account_export (removed_at) WHERE removed_at IS NOT NULL;

-- A part of an archive in the storage; without `n` it is being written, or was given up.
CREATE TABLE account_export_part (
  key uuid PRIMARY KEY,
  export_id uuid NOT NULL REFERENCES account_export ON DELETE CASCADE,
  n integer,
  -- Where it begins in the archive, and how many of its bytes belong there; a directory of its own entries follows.
  start bigint,
  size bigint,
  stored_size bigint,
  missing jsonb,
  CONSTRAINT account_export_part_is_complete CHECK (
    (n IS NULL) = (start IS NULL) AND (n IS NULL) = (size IS NULL) AND (n IS NULL) = (stored_size IS NULL)
    AND (n IS NULL) = (missing IS NULL) AND size <= stored_size)
);
CREATE UNIQUE INDEX account_export_part_order ON account_export_part (export_id, n);
