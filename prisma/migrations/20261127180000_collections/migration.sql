-- Collections of generations, of which the favourites are the one without a name.
CREATE TABLE collection (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  name text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT collection_name_is_bounded CHECK (char_length(name) BETWEEN 1 AND 60)
);
CREATE UNIQUE INDEX collection_name ON collection (account_id, name);
CREATE UNIQUE INDEX collection_favourites ON collection (account_id) WHERE name IS NULL;

CREATE TABLE collection_item (
  collection_id uuid NOT NULL REFERENCES collection ON DELETE CASCADE,
  generation_id uuid NOT NULL REFERENCES generation,
  account_id integer NOT NULL REFERENCES account,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (collection_id, generation_id)
);
CREATE INDEX collection_item_by_generation ON collection_item (generation_id);
CREATE INDEX collection_item_by_account ON collection_item (account_id);

INSERT INTO collection (id, account_id, name, created_at)
SELECT gen_random_uuid(), account_id, NULL, min(created_at) FROM favourite GROUP BY account_id;
INSERT INTO collection_item (collection_id, generation_id, account_id, created_at)
SELECT c.id, f.generation_id, f.account_id, f.created_at FROM favourite f JOIN collection c ON c.account_id = f.account_id;
DROP TABLE favourite;
