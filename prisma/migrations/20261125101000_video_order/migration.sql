-- The videos of an account in the order of their list. Deleted ones are not in it, so a page never reads past them.
CREATE INDEX CONCURRENTLY generation_video ON generation (account_id, id) WHERE video IS NOT NULL;
