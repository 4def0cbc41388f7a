-- The generations of an end user, newest first. Those without one are not in it.
CREATE INDEX CONCURRENTLY generation_by_end_user ON generation (end_user, account_id, id DESC) WHERE end_user IS NOT NULL;
