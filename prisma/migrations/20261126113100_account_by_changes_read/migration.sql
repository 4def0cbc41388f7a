CREATE INDEX CONCURRENTLY account_by_changes_read ON account (changes_read_at) WHERE changes_read_at IS NOT NULL;
