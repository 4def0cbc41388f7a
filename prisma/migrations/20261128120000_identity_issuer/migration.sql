-- Subjects of OpenID providers are unique only together with their issuer, of which the hub has had one so far. It binds
-- the identities of that issuer at its next start.
ALTER TABLE identity ADD COLUMN issuer text;
