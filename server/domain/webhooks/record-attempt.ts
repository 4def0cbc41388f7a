import type { Hub } from "../../context";
import type { ClaimedDelivery } from "./claim";
import type { LastError } from "./endpoint";
import type { AttemptResult, RetryDecision } from "./classify-response";
import { REDISPATCH_AFTER_SECONDS } from "./dispatch-deliveries";

// Of the 15 seconds that an attempt may take.
const SLOW_MS = 5_000;

/**
 * Writes down an attempt and what follows from it. The log keeps every attempt; the delivery moves only if it is as
 * it was when the attempt was claimed.
 */
export async function recordAttempt(
  hub: Hub,
  claim: ClaimedDelivery,
  result: AttemptResult,
  { startedAt, verdict, retryAt }: { startedAt: Date; verdict: RetryDecision; retryAt: Date | null },
): Promise<void> {
  const { id, round, attempts } = claim;
  const now = hub.now();
  const state = verdict.next === "retry" ? "pending" : verdict.next;
  const nudgeAt = retryAt && new Date(retryAt.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const lastError = state === "failed" ? JSON.stringify(describe(claim, result, now)) : null;
  await hub.db.query(statement, [
    ...[id, round, attempts, now, state, retryAt, nudgeAt, lastError],
    ...[startedAt, result.durationMs, result.status, result.response, result.error],
    ...[claim.endpoint_id, result.durationMs > SLOW_MS],
  ]);
}

const describe = (
  { id, name, attempts }: ClaimedDelivery,
  { status, error }: Pick<AttemptResult, "status" | "error">,
  now: Date,
): LastError => ({
  at: now.toISOString(),
  event: name,
  delivery_id: id,
  attempts: attempts + 1,
  status,
  message: error ?? `The receiver answered ${status}.`,
});

const statement = `
  WITH moved AS (
    UPDATE delivery SET attempts = attempts + 1, state = $5, next_attempt_at = $6, nudge_at = $7, planned_at = $4,
                        ended_at = CASE WHEN $5 <> 'pending' THEN $4::timestamptz END
    WHERE id = $1 AND round = $2 AND attempts = $3 AND state = 'pending'
    RETURNING $8::json AS last_error
  ),
  noted AS (
    UPDATE endpoint SET last_error = coalesce((SELECT last_error FROM moved), last_error), slow = $15
    WHERE id = $14 AND (slow <> $15 OR EXISTS (SELECT FROM moved WHERE last_error IS NOT NULL))
  )
  INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status, response, error)
  VALUES ($1, $2, $3 + 1, $14, $9, $10, $11, $12, $13)
  ON CONFLICT DO NOTHING`;
