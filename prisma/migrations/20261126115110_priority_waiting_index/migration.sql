-- What waits for a slot of its account, in the order in which it gets one.
CREATE INDEX CONCURRENTLY generation_waiting_by_priority ON generation (account_id, priority DESC, id)
  WHERE status = 'queued' AND dispatched_at IS NULL AND provider <> 'worker';
