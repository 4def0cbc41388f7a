-- A customer's request to stop a generation that runs at a provider, and the provider's refusal of it (decision 118).
ALTER TABLE generation
  ADD COLUMN cancel_requested_at timestamptz(3),
  ADD COLUMN cancel_refused_at timestamptz(3);
