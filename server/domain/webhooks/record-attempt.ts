import type { Hub } from "../../context";
import { bool, int4, jsonText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { REDISPATCH_AFTER_SECONDS } from "../events/dispatch-deliveries";
import type { ClaimedDelivery } from "./claim";
import type { LastError } from "./endpoint";
import type { AttemptResult, RetryDecision } from "./classify-response";

/** An endpoint is slow when its latest attempt took longer than this. */
const SLOW_ATTEMPT_MS = 5_000;

/**
 * Records an attempt and applies its decision. Every attempt is logged; the delivery changes only if it is still in the
 * state in which the attempt was claimed.
 */
export async function recordAttempt(
  hub: Hub,
  claim: ClaimedDelivery,
  result: AttemptResult,
  { startedAt, decision, retryAt }: { startedAt: Date; decision: RetryDecision; retryAt: Date | null },
): Promise<void> {
  const { id, round, attempts } = claim;
  const now = hub.now();
  const state = decision.next === "retry" ? "pending" : decision.next;
  const redispatchAt = retryAt && new Date(retryAt.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const lastError = state === "failed" ? JSON.stringify(toLastError(claim, result, now)) : null;
  const { durationMs, status, response, error } = result;
  await insertAttempt(
    ...[hub.db, id, round, attempts, now, state, retryAt, redispatchAt, lastError],
    ...[startedAt, durationMs, status, response, error, claim.endpoint_id, durationMs > SLOW_ATTEMPT_MS],
  );
}

const toLastError = (
  { id, name, attempts }: ClaimedDelivery,
  { status, error }: Pick<AttemptResult, "status" | "error">,
  now: Date,
): LastError => ({
  at: now.toISOString(),
  event: name,
  delivery_id: id,
  attempts: attempts + 1,
  status,
  message: error ?? `The endpoint responded with HTTP ${status}.`,
});

const insertAttempt = statement({
  // prettier-ignore
  params: [
    uuid, int4, int4, timestamptz, text, nullable(timestamptz), nullable(timestamptz), nullable(jsonText),
    timestamptz, int4, nullable(int4), nullable(text), nullable(text), uuid, bool,
  ],
  row: {},
  text: `
    WITH updated AS (
      UPDATE delivery SET attempts = attempts + 1, state = $5, next_attempt_at = $6, redispatch_at = $7, scheduled_at = $4,
                          ended_at = CASE WHEN $5 <> 'pending' THEN $4::timestamptz END
      WHERE id = $1 AND round = $2 AND attempts = $3 AND state = 'pending'
      RETURNING $8::json AS last_error
    ),
    updated_endpoint AS (
      UPDATE endpoint SET last_error = coalesce((SELECT last_error FROM updated), last_error), slow = $15
      WHERE id = $14 AND (slow <> $15 OR EXISTS (SELECT FROM updated WHERE last_error IS NOT NULL))
    )
    INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status, response, error)
    VALUES ($1, $2, $3 + 1, $14, $9, $10, $11, $12, $13)
    ON CONFLICT DO NOTHING`,
});
