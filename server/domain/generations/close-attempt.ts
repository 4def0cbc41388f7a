import type { Hub } from "../../context";
import { int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { FailureCause } from "../../providers/failure";
import type { AttemptEnd, AttemptOutcome } from "./attempts";
import { claimUntil, extendClaimSql, type Run } from "./claim";
import { dispatchForProvider } from "./dispatch-waiting";
import { correctSpendingSql } from "./provider-spending";

/**
 * Closes an attempt that is retried after a pause; the last attempt is closed by `finishGeneration`. Does nothing when
 * the claim was lost.
 */
export async function closeAttempt(
  hub: Hub,
  { generationId, runId }: Run,
  n: number,
  { outcome, upstreamStatus, cause, cost, pauseSeconds }: AttemptEnd & { pauseSeconds: number },
): Promise<void> {
  const until = claimUntil(hub, pauseSeconds * 1000);
  const end = [outcome, upstreamStatus ?? null, cause ?? null, cost === undefined ? null : BigInt(cost)] as const;
  const rows = await updateOutcome(hub.db, generationId, runId, until, n, hub.now(), ...end);
  for (const { limited_provider } of rows) dispatchForProvider(hub, limited_provider);
}

const updateOutcome = statement({
  params: [
    ...([uuid, text, timestamptz, int4, timestamptz, textOf<AttemptOutcome>(), nullable(int4)] as const),
    ...([nullable(textOf<FailureCause>()), nullable(int8)] as const),
  ],
  row: { limited_provider: notNull(text) },
  text: `
    WITH claimed AS (${extendClaimSql}),
    closed AS (
      UPDATE attempt SET ended_at = $5, outcome = $6, upstream_status = $7, cause = $8, cost = coalesce($9, cost), reserved = false
      FROM claimed
      WHERE generation_id = claimed.id AND n = $4 AND ended_at IS NULL
      RETURNING attempt.*
    ),
    ${correctSpendingSql}
    SELECT limited_provider FROM closed WHERE limited_provider IS NOT NULL`,
});
