-- When a catalogue in force first offered a model, whatever became of that catalogue since.
CREATE TABLE offered_model (
  id text PRIMARY KEY,
  first_offered_at timestamptz(3) NOT NULL
);
