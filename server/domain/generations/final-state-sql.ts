import { emitEventsSql } from "../webhooks/emit-events";
import { snapshotSql } from "./snapshot";

/** SQL: what every end sets in the generation `g`, by the row `asked (to, error)` at `$2`. */
export const setFinalStateSql = `
  status = asked."to", error = asked.error, completed_at = $2, settled_at = $2,
  progress = CASE WHEN asked."to" = 'succeeded' THEN 1 ELSE g.progress END,
  -- A chat that failed cost nothing, and clients repeat it with the same key.
  idempotency_key = CASE WHEN NOT (g.is_llm AND asked."to" = 'failed') THEN g.idempotency_key END,
  request_digest = CASE WHEN g.joinable_at IS NOT NULL THEN g.request_digest END`;

/** SQL: tells of the CTE `ended`, once its accounts are `paid` and locked, so that their events are numbered in the order of their commits. */
export const emitEndedEventsSql = (lists: Parameters<typeof snapshotSql>[1]): string =>
  emitEventsSql({
    event: "generation.completed",
    changed: "(SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id))",
    at: "$2",
    snapshot: snapshotSql("changed", lists),
  });
