-- The operator's lists of payments, the newest first: each reads one page of its own index.
CREATE INDEX payment_pending ON payment (id) WHERE state = 'pending';
CREATE INDEX payment_failed ON payment (id) WHERE state = 'failed';
CREATE INDEX payment_refunded ON payment (id) WHERE refunded > 0;
CREATE INDEX payment_disputed ON payment (id) WHERE disputed > 0;
CREATE INDEX payment_not_credited ON payment (id) WHERE error IS NOT NULL;
