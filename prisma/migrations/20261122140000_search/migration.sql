-- The words of each generation's input, by which it is found. A table of its own, because a generation is updated
-- several times and every update would write the index again; a row here is written once. Rows of generations that
-- exist already are added by the sweep, newest first, so that this migration reads and locks no large table.
CREATE TABLE generation_words (
  -- Without a reference: both rows are inserted by one statement and neither is ever deleted.
  generation_id uuid PRIMARY KEY,
  -- Each word follows the account's id, "42:harbour", so that an account reads nothing of others.
  words tsvector NOT NULL
);

-- Inserts only append to a list of pending entries, which each process merges every ten seconds. An insert would merge it
-- itself, and take long, if it had more than 32 MB.
CREATE INDEX generation_words_by_word ON generation_words USING gin (words) WITH (gin_pending_list_limit = 32768);

-- Blocks writes while it is built: two to four seconds for each million generations.
CREATE INDEX generation_newest_by_key ON generation (key_id, id DESC) WHERE key_id IS NOT NULL;
