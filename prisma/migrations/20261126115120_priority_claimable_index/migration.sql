-- What workers can claim, in the order of its account.
CREATE INDEX CONCURRENTLY generation_claimable_by_priority ON generation (model, account_id, priority DESC, id)
  WHERE status = 'queued' AND provider = 'worker' AND (external_inputs IS NULL OR inputs_ready_at IS NOT NULL);
