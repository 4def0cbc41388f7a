-- What its owners call an account; without a name it is shown by its contact address.
ALTER TABLE account ADD COLUMN name text CHECK (char_length(name) BETWEEN 1 AND 80);
CREATE INDEX account_by_name ON account (lower(name) text_pattern_ops);
-- An invitation without an address is a link to copy, which one person can use.
ALTER TABLE invitation ALTER COLUMN email DROP NOT NULL;
