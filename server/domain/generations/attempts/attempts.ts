import { type Route, routings } from "../../../catalogue/model";
import { bool, float4, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { columnList, type RowOf, statement } from "../../../db/statement";
import { newId } from "../../../lib/id";
import type { Nano } from "../../../lib/money";
import { toReal } from "../../../lib/to-real";
import type { FailureCause, FailureCode } from "../../../providers/failure";
import { isCancelOpenSql } from "./cancel-request";
import { claimUntil, type Run } from "./claim";
import type { AttemptsHub } from "./hub";

export type AttemptOutcome = "succeeded" | "failed" | "refused" | "canceled" | "lost";

/** A route that was not tried, and why: a member of the column `passed_over`. */
export interface PassedOverRoute {
  id: string;
  route: string;
  /** Kind of the provider. */
  provider: string;
  skipped: SkipReason;
}

export const skipReasons = ["cannot_express", "cooling_down", "at_capacity", "over_budget", "missing_key"] as const;
export type SkipReason = (typeof skipReasons)[number];

/**
 * Why a route was tried: the routing that put it first, `sticky` for the route that served the conversation before, or
 * `bought_again` after a response was lost elsewhere.
 */
export const routeReasons = [...routings, "measuring", "sticky", "bought_again"] as const;
export type RouteReason = (typeof routeReasons)[number];

/** The columns of an attempt that a run reads. */
export const attemptColumns = {
  id: uuid,
  n: int4,
  route: text,
  key: nullable(text),
  reserved: bool,
  outcome: nullable(textOf<AttemptOutcome>()),
  cause: nullable(textOf<FailureCause>()),
  upstream_id: nullable(text),
  cost: nullable(int8),
  started_at: timestamptz,
  delivered_at: nullable(timestamptz),
};
export const attemptColumnsSql = columnList(attemptColumns, "attempt");

export type AttemptRow = RowOf<typeof attemptColumns>;

/** Returns a generation's attempts, oldest first. */
export const findAttempts = (hub: AttemptsHub, generationId: string): Promise<AttemptRow[]> =>
  selectAttempts(hub.db, generationId);

const selectAttempts = statement({
  params: [uuid],
  row: attemptColumns,
  text: `SELECT ${attemptColumnsSql} FROM attempt WHERE generation_id = $1 ORDER BY n`,
});

/** What a pending job reports. `cost` is in nano-euros. */
interface AttemptProgress {
  upstreamId: string;
  progress: number | null;
  queuePosition?: number;
  cost: Nano | null;
  pollAfterSeconds: number;
}

/**
 * Stores the provider's job id, so that a repeated step polls it instead of submitting again, and its progress, and
 * extends the claim until after the next poll. Returns null when the claim was lost, otherwise whether upstream has
 * called back since the last poll, and whether the customer wants the job stopped.
 */
export async function recordProgress(
  hub: AttemptsHub,
  { generationId, runId }: Run,
  n: number,
  { upstreamId, progress, queuePosition, cost, pollAfterSeconds }: AttemptProgress,
): Promise<{ hasReported: boolean; isCancelRequested: boolean } | null> {
  const until = claimUntil(hub, pollAfterSeconds * 1000);
  const position = queuePosition ?? null;
  const [row] = await updateProgress(
    hub.db,
    generationId,
    runId,
    until,
    n,
    upstreamId,
    toReal(progress),
    position,
    cost,
  );
  return row ? { hasReported: row.has_reported, isCancelRequested: row.is_cancel_requested } : null;
}

const updateProgress = statement({
  params: [uuid, text, timestamptz, int4, text, nullable(float4), nullable(int4), nullable(int8)],
  row: { has_reported: bool, is_cancel_requested: bool },
  text: `
    WITH claimed AS (
      UPDATE generation g SET claim_expires_at = $3,
             progress = CASE WHEN $6::real IS NULL THEN progress ELSE least(greatest(progress, $6), 0.99) END
      WHERE id = $1 AND run_id = $2 AND status = 'running' RETURNING id, ${isCancelOpenSql} AS is_cancel_requested
    )
    UPDATE attempt a SET upstream_id = $5, queue_position = $7, cost = coalesce($8, a.cost), reported_at = NULL
    FROM claimed, attempt before
    WHERE a.generation_id = claimed.id AND a.n = $4 AND before.id = a.id
    RETURNING before.reported_at IS NOT NULL AS has_reported, claimed.is_cancel_requested`,
});

/** Records when the provider delivered outputs that could not be stored. Returns the time of the first such call. */
export const recordDelivery = async (hub: AttemptsHub, attemptId: string): Promise<Date> =>
  (await updateDelivered(hub.db, attemptId, hub.now()))[0]?.delivered_at ?? hub.now();

const updateDelivered = statement({
  params: [uuid, timestamptz],
  row: { delivered_at: notNull(timestamptz) },
  text: `
    UPDATE attempt SET delivered_at = coalesce(delivered_at, $2) WHERE id = $1 AND ended_at IS NULL
    RETURNING delivered_at`,
});

/** An attempt, as a callback finds it. */
interface ReportedAttempt {
  id: string;
  generation_id: string;
  model: string;
  route: string;
  key: string | null;
  upstream_id: string | null;
  /** Whether it was given up, so that a result is recorded, but not delivered. */
  is_lost: boolean;
}

/** Returns the attempt with this id if it is open, or lost. */
export const findReportedAttempt = async (hub: AttemptsHub, attemptId: string): Promise<ReportedAttempt | null> =>
  (await selectReportedAttempt(hub.db, attemptId))[0] ?? null;

const selectReportedAttempt = statement({
  params: [uuid],
  row: {
    id: uuid,
    generation_id: uuid,
    model: text,
    route: text,
    key: nullable(text),
    upstream_id: nullable(text),
    is_lost: bool,
  },
  text: `
    SELECT a.id, a.generation_id, g.model, a.route, a.key, a.upstream_id, a.ended_at IS NOT NULL AS is_lost
    FROM attempt a JOIN generation g ON g.id = a.generation_id
    WHERE a.id = $1 AND (a.ended_at IS NULL AND g.status = 'running' OR a.outcome = 'lost' AND a.reported_at IS NULL)`,
});

/** Records that upstream has called back about an open or lost attempt, and the job's id if none was stored. */
export const recordReport = async (hub: AttemptsHub, attemptId: string, upstreamId: string | null): Promise<void> =>
  void (await updateReport(hub.db, attemptId, hub.now(), upstreamId));

const updateReport = statement({
  params: [uuid, timestamptz, nullable(text)],
  row: {},
  text: `
    UPDATE attempt SET reported_at = $2, upstream_id = coalesce(upstream_id, $3)
    WHERE id = $1 AND (ended_at IS NULL OR outcome = 'lost' AND reported_at IS NULL)`,
});

/** Returns the id of an open attempt's generation if upstream has called back since the last poll; otherwise null. */
export const findUnreadReport = async (hub: AttemptsHub, attemptId: string): Promise<string | null> =>
  (await selectUnreadReport(hub.db, attemptId))[0]?.generation_id ?? null;

const selectUnreadReport = statement({
  params: [uuid],
  row: { generation_id: uuid },
  text: "SELECT generation_id FROM attempt WHERE id = $1 AND ended_at IS NULL AND reported_at IS NOT NULL",
});

export interface AttemptEnd {
  /** `lost`: it is unknown whether the provider did the work. */
  outcome: AttemptOutcome;
  upstreamStatus?: number;
  cause?: FailureCause;
  /** The provider's cost, if known: nano-euros as text, because step results are JSON. */
  cost?: string;
}

/** A complete attempt, inserted by the statement that ends its generation. */
export interface AttemptRecord {
  n: number;
  route: string;
  provider: string;
  reason: RouteReason | null;
  started_at: Date;
  ended_at: Date;
  outcome: AttemptOutcome;
  /** The provider's id of the attempt; absent without one. */
  upstream_id?: string | null;
  upstream_status: number | null;
  /** Nano-euros as text. */
  cost: string | null;
  /** Why it failed, for the metrics; not stored. */
  code?: FailureCode;
  cause?: FailureCause;
  /** The time until the first token of a stream. */
  first_token_ms?: number;
  /** Whether its row exists already, because it took a place at a provider with limits: `open` until the chat ends. */
  held?: "open" | "closed";
  /** The routes before it that were not tried. */
  passed_over?: PassedOverRoute[];
}

/** Returns the entry of a route that is not tried. */
export const toPassedOver = ({ id: route, provider: { kind } }: Route, skipped: SkipReason): PassedOverRoute => ({
  id: newId(),
  route,
  provider: kind,
  skipped,
});
