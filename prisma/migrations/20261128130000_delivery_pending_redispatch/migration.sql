-- The due deliveries of each endpoint.
CREATE INDEX CONCURRENTLY delivery_pending_redispatch ON delivery (endpoint_id, redispatch_at) WHERE state = 'pending';
