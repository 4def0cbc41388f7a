-- The order of the list that has generations as well, whose ids sort by time too.
CREATE INDEX CONCURRENTLY rejected_request_account_id_id_idx ON rejected_request (account_id, id);
