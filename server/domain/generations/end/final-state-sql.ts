import { emitEventsSql } from "../../events/emit-events";
import { snapshotSql } from "../read/serialize-generation";

/**
 * Returns the assignments that end the generation `g` by the row `ending (to, error)` at the time `$2`. `isUnansweredSql`
 * says which chats free their idempotency keys.
 */
export const setFinalStateSql = (isUnansweredSql = `ending."to" = 'failed'`): string => `
  status = ending."to", error = ending.error, completed_at = $2, settled_at = $2,
  progress = CASE WHEN ending."to" = 'succeeded' THEN 1 ELSE g.progress END,
  -- A failed chat costs nothing, and clients retry it with the same key.
  idempotency_key = CASE WHEN NOT (g.is_llm AND (${isUnansweredSql})) THEN g.idempotency_key END,
  request_digest = CASE WHEN g.joinable_at IS NOT NULL THEN g.request_digest END`;

/**
 * Returns SQL that emits the events of the CTE `ended`. It reads `paid`, whose accounts are locked, so that events are numbered in
 * the order of their commits.
 */
export const emitEndedEventsSql = (lists: Parameters<typeof snapshotSql>[1]): string =>
  emitEventsSql({
    event: "generation.completed",
    changed: "(SELECT ended.*, paid.follows_events FROM ended JOIN paid USING (account_id))",
    at: "$2",
    snapshot: snapshotSql("changed", lists),
  });
