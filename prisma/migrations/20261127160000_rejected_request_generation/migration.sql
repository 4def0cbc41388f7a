-- The generation that the request had made before it failed.
ALTER TABLE rejected_request ADD COLUMN generation_id uuid;
