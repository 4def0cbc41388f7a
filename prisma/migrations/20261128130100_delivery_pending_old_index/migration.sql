-- `delivery_pending_redispatch` has its first column.
DROP INDEX delivery_pending;
