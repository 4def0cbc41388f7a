-- Finds the deliveries of an endpoint that failed or wait for another attempt, newest event first.
CREATE INDEX CONCURRENTLY delivery_failing ON delivery (endpoint_id, event_n DESC)
  WHERE state = 'failed' OR (state = 'pending' AND attempts > 0);
