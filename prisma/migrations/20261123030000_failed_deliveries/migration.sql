-- Finds the failed deliveries of an endpoint, newest event first, however many others there are.
CREATE INDEX delivery_failed ON delivery (endpoint_id, event_n DESC) WHERE state = 'failed';
