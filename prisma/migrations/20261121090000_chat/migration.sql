-- The answer of a chat that came with an idempotency key, as the text that was sent: a replay repeats it byte by byte.
ALTER TABLE generation ADD COLUMN answer text;
CREATE INDEX generation_answered ON generation (completed_at) WHERE answer IS NOT NULL;
-- Tells a hash whose content has expired from one that never was.
CREATE INDEX file_removed ON file (account_id, sha256) WHERE removed_at IS NOT NULL;
