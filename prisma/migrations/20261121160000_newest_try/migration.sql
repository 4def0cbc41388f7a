-- Whether an endpoint takes what it is sent is what its newest try says: found by one look, however long its history.
-- The delivery's own endpoint, which never changes.
ALTER TABLE delivery_attempt ADD COLUMN endpoint_id uuid;
UPDATE delivery_attempt a SET endpoint_id = d.endpoint_id FROM delivery d WHERE d.id = a.delivery_id;
ALTER TABLE delivery_attempt ALTER COLUMN endpoint_id SET NOT NULL;
CREATE INDEX delivery_attempt_endpoint_id_started_at_idx ON delivery_attempt (endpoint_id, started_at);
