-- When a provider had delivered outputs that could not be stored: the hub goes on trying for at least ten minutes
-- (docs/decisions/0090-keep-storing.md).
ALTER TABLE attempt ADD COLUMN delivered_at timestamptz(3);
