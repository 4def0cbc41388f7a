-- `delivery_pending_redispatch` has its first column.
DROP INDEX CONCURRENTLY IF EXISTS delivery_pending;
