-- Defaults of settings that an upgraded hub keeps from before its migration; a setting of the environment overrides them
-- (docs/decisions/0128-attempts.md).
CREATE TABLE hub_default (
  name text PRIMARY KEY,
  value text NOT NULL,
  CONSTRAINT hub_default_is_valid CHECK (name = 'EXPOSE_ATTEMPTS' AND value IN ('full', 'times', 'off'))
);

-- Customers of a hub that has generations could read attempts in full, and programs may depend on it.
INSERT INTO hub_default (name, value) SELECT 'EXPOSE_ATTEMPTS', 'full' WHERE EXISTS (SELECT FROM generation);
