-- The name that an upload was sent with; for an output, its model and number. Null for files from before.
ALTER TABLE file ADD COLUMN name text
  CONSTRAINT file_name_is_short CHECK (char_length(name) BETWEEN 1 AND 200);
