-- Characters. What a character is at this moment is read from its newest training, which is a generation: there is no
-- second state that could differ from the first.
CREATE TABLE character (
  id serial PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account (id),
  name text NOT NULL,
  base_model text NOT NULL,
  trigger_word text,
  images text[] NOT NULL,
  parameters jsonb NOT NULL,
  -- Counts its changes and its trainings; whoever changes it has seen the newest.
  version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  -- Those that are deleted stay for the generations that use them.
  deleted_at timestamptz(3),
  CONSTRAINT character_id_account_id_key UNIQUE (id, account_id)
);
CREATE INDEX character_newest ON character (account_id, id DESC) WHERE deleted_at IS NULL;

ALTER TABLE generation
  ADD COLUMN character_id integer,
  -- Of the character, when this training was accepted; the newest training has the highest.
  ADD COLUMN character_version integer,
  ADD CONSTRAINT generation_character_fkey FOREIGN KEY (character_id, account_id) REFERENCES character (id, account_id),
  ADD CONSTRAINT generation_training_is_a_workers CHECK (
    (character_id IS NULL) = (character_version IS NULL) AND (character_id IS NULL OR provider = 'worker')
  );
CREATE UNIQUE INDEX generation_training ON generation (character_id, character_version) INCLUDE (billed_cost)
  WHERE character_id IS NOT NULL;
-- A character is trained once at a time.
CREATE UNIQUE INDEX generation_training_open ON generation (character_id)
  WHERE character_id IS NOT NULL AND settled_at IS NULL;
