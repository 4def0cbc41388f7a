-- The newest successes of each model, from which its usual time is computed. Chats, which are many, are not in it.
CREATE INDEX CONCURRENTLY generation_succeeded_by_model ON generation (model, completed_at DESC) INCLUDE (started_at)
  WHERE status = 'succeeded' AND NOT is_llm;
