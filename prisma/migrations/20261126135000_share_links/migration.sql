-- Links that show one output to everybody who has them (docs/decisions/0127-share-links.md).
CREATE TABLE share_link (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  file_id uuid NOT NULL REFERENCES file ON DELETE CASCADE,
  -- SHA-256 of the token of the link.
  hash bytea NOT NULL UNIQUE,
  shows_prompt boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- Also when it was revoked, so that one time says whether it still works.
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  views integer NOT NULL DEFAULT 0,
  last_viewed_at timestamptz(3),
  CONSTRAINT share_link_is_valid CHECK (
    octet_length(hash) = 32 AND views >= 0 AND (revoked_at IS NULL OR expires_at <= revoked_at))
);
CREATE INDEX share_link_newest ON share_link (account_id, id);
CREATE INDEX share_link_by_file ON share_link (file_id);
CREATE INDEX share_link_expiring ON share_link (expires_at);
