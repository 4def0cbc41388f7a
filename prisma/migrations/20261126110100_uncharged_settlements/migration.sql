-- Generations that were settled without a charge before the triggers existed. Those settled since have a row already.
INSERT INTO uncharged_settlement (account_id, settled_at, generation_id)
SELECT account_id, settled_at, id FROM generation WHERE settled_at IS NOT NULL AND coalesce(billed_cost, 0) = 0
ON CONFLICT DO NOTHING;
