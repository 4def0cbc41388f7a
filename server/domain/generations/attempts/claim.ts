import { text, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { AttemptsHub } from "./hub";

/** A run of the job engine and its generation. */
export interface Run {
  generationId: string;
  runId: string;
}

/** A run that does not renew its claim for longer than this may be replaced by another run. */
export const CLAIM_MS = 30_000;
const RENEW_INTERVAL_MS = 10_000;
const MAX_EXTENSION = "24 hours";

/** How long a submit may take unless its provider sets a limit. */
export const MAX_SUBMIT_MS = 60_000;
/** How much longer than its submit a claim lasts. */
const SUBMIT_MARGIN_MS = 5_000;

/** Returns when the claim of a run that submits now expires: later than the submit can end. */
export const claimForSubmit = (hub: AttemptsHub, submitMs: number): Date =>
  claimUntil(hub, Math.max(0, submitMs + SUBMIT_MARGIN_MS - CLAIM_MS));

/** Returns when a claim that is renewed now, and next in `silentMs`, expires. */
export const claimUntil = (hub: AttemptsHub, silentMs = 0): Date => new Date(hub.now().getTime() + silentMs + CLAIM_MS);

/** SQL that extends the claim of the generation `$1` by its run `$2` until `$3`; returns its id if the run still holds it. */
export const extendClaimSql = `
  UPDATE generation SET claim_expires_at = $3 WHERE id = $1 AND run_id = $2 AND status = 'running' RETURNING id`;

/** SQL like `extendClaimSql`, for a run that begins an attempt: none begins once the customer has canceled. */
export const claimForAttemptSql = `
  UPDATE generation SET claim_expires_at = $3
  WHERE id = $1 AND run_id = $2 AND status = 'running' AND cancel_requested_at IS NULL RETURNING id`;

/**
 * Returns SQL for the deadline of the generation `g`. When its claim has expired, the time since its run was last active extends
 * the deadline, by 24 hours in total at most.
 */
export const extendedDeadlineSql = (now: string): string => `
  CASE WHEN g.claim_expires_at < ${now}::timestamptz
    THEN least(g.deadline_at + (${now}::timestamptz - g.claim_expires_at) + interval '${CLAIM_MS} ms',
               g.started_at + g.timeout_seconds * interval '1 second' + interval '${MAX_EXTENSION}')
    ELSE g.deadline_at END`;

const declareClaimUpdate = (holderSql: string) =>
  statement({
    params: [uuid, text, timestamptz, timestamptz],
    row: { id: uuid },
    text: `
      UPDATE generation g SET run_id = $2, deadline_at = ${extendedDeadlineSql("$3")},
                              claim_expires_at = greatest(g.claim_expires_at, $4)
      WHERE g.id = $1 AND g.status = 'running' AND ${holderSql}
      RETURNING g.id`,
  });

const claimForRun = declareClaimUpdate("(g.run_id = $2 OR g.claim_expires_at < $3)");
const renewForRun = declareClaimUpdate("g.run_id = $2");

const updateForRun = async (
  hub: AttemptsHub,
  update: typeof claimForRun,
  { generationId, runId }: Run,
  silentMs = 0,
): Promise<boolean> => (await update(hub.db, generationId, runId, hub.now(), claimUntil(hub, silentMs))).length > 0;

/** Claims the running generation for this run, unless another run holds a valid claim. Returns whether it did. */
export const takeOver = (hub: AttemptsHub, run: Run): Promise<boolean> => updateForRun(hub, claimForRun, run);

/**
 * Renews the run's claim, for a run that is silent for the next `silentMs`. Returns false when the generation has ended
 * or another run has taken it over.
 */
export const renewClaim = (hub: AttemptsHub, run: Run, silentMs = 0): Promise<boolean> =>
  updateForRun(hub, renewForRun, run, silentMs);

/**
 * Renews the run's claim while `work` runs. When the claim is lost, aborts the signal passed to `work` and returns null
 * if `work` rejects.
 */
export async function holdClaim<T>(
  hub: AttemptsHub,
  run: Run,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const lost = new AbortController();
  const renew = async () => {
    // A failed query does not mean that the claim was lost.
    const isHeld = await renewClaim(hub, run).catch(() => true);
    if (!isHeld) lost.abort();
  };
  const timer = setInterval(() => void renew(), RENEW_INTERVAL_MS);
  try {
    return await work(lost.signal);
  } catch (error) {
    if (lost.signal.aborted) return null;
    throw error;
  } finally {
    clearInterval(timer);
  }
}
