import type { Hub } from "../../context";

/** A run of the job engine that works on a generation. */
export interface Run {
  generationId: string;
  runId: string;
}

/** A run that is silent for longer than this may be replaced by another one. */
export const CLAIM_MS = 30_000;
const RENEW_INTERVAL_MS = 10_000;
const MAX_EXTENSION = "24 hours";

/** How much longer than a submit its claim holds. */
const SUBMIT_MARGIN_MS = 5_000;

/** Returns until when a run that submits now holds its claim: for longer than the submit may take. */
export const claimForSubmit = (hub: Hub, submitMs: number): Date =>
  claimUntil(hub, Math.max(0, submitMs + SUBMIT_MARGIN_MS - CLAIM_MS));

/** Returns until when a run that says so now, and is not expected to say anything for `silentMs`, holds its claim. */
export const claimUntil = (hub: Hub, silentMs = 0): Date => new Date(hub.now().getTime() + silentMs + CLAIM_MS);

/**
 * SQL: the deadline of the generation `g`. When its claim has lapsed, the time since its run was last heard of does not
 * count against it, up to 24 hours in all.
 */
export const extendedDeadlineSql = (now: string): string => `
  CASE WHEN g.claim_expires_at < ${now}::timestamptz
    THEN least(g.deadline_at + (${now}::timestamptz - g.claim_expires_at) + interval '${CLAIM_MS} ms',
               g.started_at + g.timeout_seconds * interval '1 second' + interval '${MAX_EXTENSION}')
    ELSE g.deadline_at END`;

const claimSql = (holder: string): string => `
  UPDATE generation g SET run_id = $2, deadline_at = ${extendedDeadlineSql("$3")},
                          claim_expires_at = greatest(g.claim_expires_at, $4)
  WHERE g.id = $1 AND g.status = 'running' AND ${holder}
  RETURNING g.id`;

const takeOverSql = claimSql("(g.run_id = $2 OR g.claim_expires_at < $3)");
const renewSql = claimSql("g.run_id = $2");

const isUpdated = async (hub: Hub, sql: string, { generationId, runId }: Run): Promise<boolean> =>
  (await hub.db.query(sql, [generationId, runId, hub.now(), claimUntil(hub)])).length > 0;

/** Makes the run the one that works on its running generation, if that has no run whose claim holds. */
export const takeOver = (hub: Hub, run: Run): Promise<boolean> => isUpdated(hub, takeOverSql, run);

/** Renews the run's claim. False when the generation has ended or another run has taken it over. */
export const renewClaim = (hub: Hub, run: Run): Promise<boolean> => isUpdated(hub, renewSql, run);

/**
 * Renews the run's claim for as long as `work` takes. The signal that `work` gets aborts when the claim was lost, and
 * the answer is then null.
 */
export async function holdClaim<T>(hub: Hub, run: Run, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const lost = new AbortController();
  const renew = async () => {
    // A database that does not answer has not taken the claim away.
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
