-- Keys of connected apps open /mcp alone, for seven days and up to a spend limit of all time
-- (docs/decisions/0047-keys-of-connected-apps.md). Older processes do not know their secrets, which begin otherwise.
ALTER TABLE api_key
  ADD COLUMN scope text NOT NULL DEFAULT 'api' CHECK (scope IN ('api', 'mcp')),
  ADD CONSTRAINT api_key_of_app_is_bounded CHECK (
    scope = 'api'
    OR (expires_at IS NOT NULL AND expires_at <= created_at + interval '168 hours'
        AND spend_limit IS NOT NULL AND spend_limit_reset IS NULL AND previous_hash IS NULL));

-- The key of the connected app that uploaded a file, which sees its own files alone.
ALTER TABLE file ADD COLUMN key_id uuid REFERENCES api_key;
