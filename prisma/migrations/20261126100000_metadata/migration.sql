-- Labels that customers give their generations, null if there are none. Pairs of metadata are found by the index of
-- words (docs/decisions/0109-metadata-and-end-users.md).
ALTER TABLE generation ADD COLUMN metadata jsonb, ADD COLUMN end_user text;

-- Every row is null, so that nothing needs to be validated. 16 pairs of 64 and 512 characters have at most 26 KB.
ALTER TABLE generation
  ADD CONSTRAINT generation_metadata_is_bounded CHECK (
    metadata IS NULL OR (
      jsonb_typeof(metadata) = 'object' AND metadata <> '{}' AND pg_column_size(metadata) <= 26000
      AND NOT metadata @? '$.* ? (@.type() != "string")'
    )
  ) NOT VALID,
  ADD CONSTRAINT generation_end_user_is_short CHECK (char_length(end_user) BETWEEN 1 AND 255) NOT VALID;

-- Pairs that each generation of a key gets, and whether requests must name an end user.
ALTER TABLE api_key
  ADD COLUMN metadata jsonb CONSTRAINT api_key_metadata_is_bounded CHECK (
    metadata IS NULL OR (
      jsonb_typeof(metadata) = 'object' AND metadata <> '{}' AND pg_column_size(metadata) <= 26000
      AND NOT metadata @? '$.* ? (@.type() != "string")'
    )
  ),
  ADD COLUMN require_end_user boolean NOT NULL DEFAULT false;
