-- Routes that stand beside the specified API have idempotency keys of their own (docs/decisions/0045-openai-media-paths.md).
-- Empty for the specified routes, also in rows that older processes insert.
ALTER TABLE generation ADD COLUMN facade text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX generation_facade_idempotency_key ON generation (account_id, is_llm, facade, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
DROP INDEX generation_idempotency_key;
