-- When the next time of a row was set: a clock that went back is behind it, and the time is then put off by as much.
ALTER TABLE delivery ADD COLUMN planned_at timestamptz(3);
ALTER TABLE engine.job ADD COLUMN planned_at timestamptz(3);
