-- The tokens of a chat that are not plain ones, by class: cached, written, of media, reasoning; and the tier of service.
ALTER TABLE generation ADD COLUMN token_classes jsonb;

-- The classes of a total exclude each other, so together they are at most the total. Earlier rows have none, so they need no check.
ALTER TABLE generation ADD CONSTRAINT generation_token_classes_within_totals CHECK (
  token_classes IS NULL OR (
    coalesce((token_classes ->> 'cached_input')::int, 0) + coalesce((token_classes ->> 'cache_write')::int, 0) + coalesce((token_classes ->> 'cache_write_long')::int, 0) + coalesce((token_classes ->> 'audio_input')::int, 0) + coalesce((token_classes ->> 'image_input')::int, 0) <= input_tokens
    AND coalesce((token_classes ->> 'reasoning')::int, 0) + coalesce((token_classes ->> 'audio_output')::int, 0) <= output_tokens
  )
) NOT VALID;
