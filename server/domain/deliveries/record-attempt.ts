import type { HubParts } from "../../context";
import { jsonText, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type Batcher, createBatcher } from "../../lib/batch";
import { getRedispatchTime } from "../events";
import type { LastError } from "../endpoints";
import type { ClaimedDelivery } from "./claim";
import type { AttemptResult, RetryDecision } from "./classify-response";

/** An endpoint is slow when its latest attempt took longer than this. */
const SLOW_ATTEMPT_MS = 5_000;

/** An attempt that has ended, and the decision about the next one. */
interface EndedAttempt {
  claim: ClaimedDelivery;
  result: AttemptResult;
  startedAt: Date;
  decision: RetryDecision;
  retryAt: Date | null;
}

export interface RecordServices {
  /**
   * Records an attempt and applies its decision, in one statement that concurrent callers share. Every attempt is logged;
   * the delivery changes only if it is still in the state in which the attempt was claimed.
   */
  recordAttempt: Batcher<EndedAttempt, void>;
}

/** Returns the batcher of `recordAttempt`. */
export const createAttemptBatcher = (hub: Pick<HubParts, "db" | "now">): RecordServices["recordAttempt"] =>
  createBatcher(async (attempts) => {
    const now = hub.now();
    await insertAttempts(hub.db, JSON.stringify(attempts.map((attempt, n) => toRow(attempt, n, now))), now);
    return attempts.map(() => undefined);
  });

function toRow({ claim, result, startedAt, decision, retryAt }: EndedAttempt, n: number, now: Date) {
  const { id, round, attempts, endpoint_id } = claim;
  const { durationMs, status, response, error } = result;
  const state = decision.next === "retry" ? "pending" : decision.next;
  return {
    n,
    id,
    round,
    attempts,
    endpoint_id,
    state,
    status,
    response,
    error,
    retry_at: retryAt,
    redispatch_at: retryAt && getRedispatchTime(retryAt),
    last_error: state === "failed" ? toLastError(claim, result, now) : null,
    started_at: startedAt,
    duration_ms: durationMs,
    slow: durationMs > SLOW_ATTEMPT_MS,
  };
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

/**
 * SQL for the URL of a delivery that has ended: the URL of a generation's own webhook is removed once the generation's content is
 * erased.
 */
const addressSql = `
  CASE WHEN d.url <> '' AND EXISTS (
    SELECT FROM event e JOIN generation g ON g.id = e.generation_id WHERE e.n = d.event_n AND g.erased_at IS NOT NULL
  ) THEN '' ELSE d.url END`;

// The condition `duration_ms >= 0` always holds; it makes the planner expect few rows. Rows are locked in the order of their
// ids, so that statements cannot deadlock. Of several attempts at one endpoint the last decides whether it is slow.
const insertAttempts = statement({
  params: [jsonText, timestamptz],
  row: {},
  text: `
    WITH ended AS (
      SELECT * FROM json_to_recordset($1::json) AS row (
        n int, id uuid, round int, attempts int, endpoint_id uuid, state text, retry_at timestamptz,
        redispatch_at timestamptz, last_error json, started_at timestamptz, duration_ms int, status int, response text,
        error text, slow bool)
      WHERE duration_ms >= 0
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM delivery d WHERE d.id IN (SELECT id FROM ended) ORDER BY d.id FOR NO KEY UPDATE
    ),
    updated AS (
      UPDATE delivery d SET attempts = d.attempts + 1, state = ended.state, next_attempt_at = ended.retry_at,
                            redispatch_at = ended.redispatch_at, scheduled_at = $2,
                            ended_at = CASE WHEN ended.state <> 'pending' THEN $2::timestamptz END,
                            url = CASE WHEN ended.state = 'pending' THEN d.url ELSE ${addressSql} END
      FROM ended JOIN locked ON locked.id = ended.id
      WHERE d.id = ended.id AND d.round = ended.round AND d.attempts = ended.attempts AND d.state = 'pending'
      RETURNING ended.n
    ),
    newest AS (
      SELECT endpoint_id, (array_agg(slow ORDER BY n DESC))[1] AS slow,
             (array_agg(last_error ORDER BY n DESC)
              FILTER (WHERE last_error IS NOT NULL AND n IN (SELECT n FROM updated)))[1] AS last_error
      FROM ended GROUP BY endpoint_id
    ),
    changed_endpoint AS MATERIALIZED (
      SELECT p.id FROM endpoint p JOIN newest ON newest.endpoint_id = p.id
      WHERE p.slow <> newest.slow OR newest.last_error IS NOT NULL
      ORDER BY p.id FOR NO KEY UPDATE OF p
    ),
    updated_endpoint AS (
      UPDATE endpoint p SET last_error = coalesce(newest.last_error, p.last_error), slow = newest.slow
      FROM newest JOIN changed_endpoint ON changed_endpoint.id = newest.endpoint_id
      WHERE p.id = changed_endpoint.id
    )
    INSERT INTO delivery_attempt (delivery_id, round, n, endpoint_id, started_at, duration_ms, status, response, error)
    SELECT id, round, attempts + 1, endpoint_id, started_at, duration_ms, status, response, error
    FROM ended JOIN locked USING (id)
    ON CONFLICT DO NOTHING`,
});
