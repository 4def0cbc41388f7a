-- What the account's uploads have together until they are removed; its quota is held against it.
ALTER TABLE account ADD COLUMN upload_bytes bigint NOT NULL DEFAULT 0 CHECK (upload_bytes >= 0);
UPDATE account SET upload_bytes = held.bytes FROM (
  SELECT account_id, sum(size) AS bytes FROM file
  WHERE generation_id IS NULL AND stored_at IS NOT NULL AND removed_at IS NULL GROUP BY account_id
) held WHERE held.account_id = account.id;

CREATE INDEX file_newest ON file (account_id, id DESC) WHERE stored_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX file_newest_upload ON file (account_id, id DESC)
  WHERE stored_at IS NOT NULL AND removed_at IS NULL AND generation_id IS NULL;
CREATE INDEX file_newest_output ON file (account_id, id DESC)
  WHERE stored_at IS NOT NULL AND removed_at IS NULL AND generation_id IS NOT NULL;
