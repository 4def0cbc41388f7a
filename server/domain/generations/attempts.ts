import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { float4, int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { claimForSubmit, claimUntil, type Run } from "./claim";

export type AttemptOutcome = "succeeded" | "failed" | "refused" | "canceled" | "lost";

const attemptColumns = {
  n: int4,
  route: text,
  outcome: nullable(textOf<AttemptOutcome>()),
  upstream_id: nullable(text),
  started_at: timestamptz,
};

/** The columns of an attempt that a run reads. */
export type AttemptRow = RowOf<typeof attemptColumns>;

/** Returns a generation's attempts, oldest first. */
export const findAttempts = (hub: Hub, generationId: string): Promise<AttemptRow[]> =>
  selectAttempts(hub.db, generationId);

const selectAttempts = statement({
  params: [uuid],
  row: attemptColumns,
  text: "SELECT n, route, outcome, upstream_id, started_at FROM attempt WHERE generation_id = $1 ORDER BY n",
});

/**
 * Inserts an attempt before it is submitted, and extends the claim for as long as the submit may take. Only the caller
 * that gets the row may submit; returns null when the attempt exists already or the claim was lost.
 */
export async function openAttempt(
  hub: Hub,
  { generationId, runId }: Run,
  { n, route, submitMs }: { n: number; route: Route; submitMs: number },
): Promise<AttemptRow | null> {
  const { id, provider } = route;
  const until = claimForSubmit(hub, submitMs);
  const [row] = await insertAttempt(hub.db, generationId, runId, until, n, id, provider.kind, hub.now());
  return row ?? null;
}

const extendClaimSql = `
  UPDATE generation SET claim_expires_at = $3 WHERE id = $1 AND run_id = $2 AND status = 'running' RETURNING id`;

const insertAttempt = statement({
  params: [uuid, text, timestamptz, int4, text, text, timestamptz],
  row: attemptColumns,
  text: `
    WITH claimed AS (${extendClaimSql})
    INSERT INTO attempt (generation_id, n, route, provider, started_at) SELECT id, $4, $5, $6, $7 FROM claimed
    ON CONFLICT (generation_id, n) DO NOTHING
    RETURNING n, route, outcome, upstream_id, started_at`,
});

/**
 * Stores the provider's job id, so that a repeated step polls it instead of submitting again, and its progress, and
 * extends the claim until after the next poll. Returns false when the claim was lost.
 */
export async function recordProgress(
  hub: Hub,
  { generationId, runId }: Run,
  n: number,
  { upstreamId, progress, pollAfterSeconds }: { upstreamId: string; progress: number | null; pollAfterSeconds: number },
): Promise<boolean> {
  const until = claimUntil(hub, pollAfterSeconds * 1000);
  return (await updateProgress(hub.db, generationId, runId, until, n, upstreamId, progress)).length > 0;
}

const updateProgress = statement({
  params: [uuid, text, timestamptz, int4, text, nullable(float4)],
  row: { n: int4 },
  text: `
    WITH claimed AS (
      UPDATE generation SET claim_expires_at = $3,
             progress = CASE WHEN $6::real IS NULL THEN progress ELSE least(greatest(progress, $6), 0.99) END
      WHERE id = $1 AND run_id = $2 AND status = 'running' RETURNING id
    )
    UPDATE attempt SET upstream_id = $5 FROM claimed WHERE generation_id = claimed.id AND n = $4 RETURNING n`,
});

export interface AttemptEnd {
  /** `lost`: it is unknown whether the provider did the work. */
  outcome: "succeeded" | "failed" | "refused" | "lost";
  upstreamStatus?: number;
  /** The provider's cost, if reported: nano-euros as text, because step results are JSON. */
  cost?: string;
}

/** A complete attempt, inserted by the statement that ends its generation. */
export interface AttemptRecord {
  n: number;
  route: string;
  provider: string;
  started_at: Date;
  ended_at: Date;
  outcome: AttemptEnd["outcome"];
  upstream_status: number | null;
  /** Nano-euros as text. */
  cost: string | null;
}

/**
 * Closes an attempt that is retried after a pause; the last attempt is closed by `finishGeneration`. Does nothing when
 * the claim was lost.
 */
export async function closeAttempt(
  hub: Hub,
  { generationId, runId }: Run,
  n: number,
  { outcome, upstreamStatus, pauseSeconds }: AttemptEnd & { pauseSeconds: number },
): Promise<void> {
  const until = claimUntil(hub, pauseSeconds * 1000);
  await updateOutcome(hub.db, generationId, runId, until, n, hub.now(), outcome, upstreamStatus ?? null);
}

const updateOutcome = statement({
  params: [uuid, text, timestamptz, int4, timestamptz, textOf<AttemptOutcome>(), nullable(int4)],
  row: {},
  text: `
    WITH claimed AS (${extendClaimSql})
    UPDATE attempt SET ended_at = $5, outcome = $6, upstream_status = $7 FROM claimed
    WHERE generation_id = claimed.id AND n = $4 AND ended_at IS NULL`,
});
