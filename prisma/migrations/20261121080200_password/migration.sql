-- Argon2id hash of the account's password; null for an account that has none and so cannot sign in.
ALTER TABLE account ADD COLUMN password_hash text;
