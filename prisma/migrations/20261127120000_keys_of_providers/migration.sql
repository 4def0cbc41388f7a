-- The key that an attempt was submitted with, by its variable, and why its route was tried. Attempts from before have neither.
ALTER TABLE attempt ADD COLUMN key text, ADD COLUMN reason text,
  ADD CONSTRAINT attempt_reason_is_known CHECK (
    reason IN ('order', 'cheapest', 'fastest', 'balanced', 'measuring', 'sticky', 'bought_again')) NOT VALID;

-- What the audit counts.
CREATE INDEX attempt_bought_again ON attempt (started_at) WHERE reason = 'bought_again';
