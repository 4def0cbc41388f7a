-- A key belongs to whoever rotated it last. Whose it was before is whoever knows the secret in its grace period.
ALTER TABLE api_key ADD COLUMN previous_person_id integer REFERENCES person;
UPDATE api_key SET previous_person_id = person_id WHERE previous_hash IS NOT NULL;
