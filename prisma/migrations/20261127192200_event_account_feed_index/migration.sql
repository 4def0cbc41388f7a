-- The events of an account in the feed that are not about a generation.
CREATE INDEX CONCURRENTLY event_account_feed ON event (account_id, n) WHERE generation_id IS NULL;
