-- Keys that the API reference makes for a few minutes. No list of keys shows them.
ALTER TABLE api_key ADD COLUMN is_temporary boolean NOT NULL DEFAULT false;
