-- Rejected requests whose message goes with the content of their generation.
CREATE INDEX CONCURRENTLY rejected_request_generation ON rejected_request (generation_id) WHERE generation_id IS NOT NULL;
