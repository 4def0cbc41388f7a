import { float8, int4, int8, notNull, nullable, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { FailureCause, FailureCode } from "../../../providers/failure";
import { recordAttemptEnd } from "../../metrics";
import { type AttemptEnd, type AttemptOutcome, claimUntil, type Run } from "../attempts";
import { extendClaimSql } from "../attempts/sql";
import { dispatchForProvider } from "../queue";
import { correctSpendingSql } from "../queue/sql";
import type { RunHub } from "./hub";

/**
 * Closes an attempt that is retried after a pause; the last attempt is closed by `finishGeneration`. Does nothing when
 * the claim was lost.
 */
export async function closeAttempt(
  hub: RunHub,
  { generationId, runId }: Run,
  n: number,
  {
    outcome,
    upstreamStatus,
    cause,
    cost,
    pauseSeconds,
    code,
  }: AttemptEnd & { pauseSeconds: number; code?: FailureCode },
): Promise<void> {
  const until = claimUntil(hub, pauseSeconds * 1000);
  const end = [outcome, upstreamStatus ?? null, cause ?? null, cost === undefined ? null : BigInt(cost)] as const;
  const rows = await updateOutcome(hub.db, generationId, runId, until, n, hub.now(), ...end);
  for (const row of rows) {
    if (row.limited_provider !== null) dispatchForProvider(hub, row.limited_provider);
    // An attempt that ends without a cause was reserved, but never made.
    if (cause !== undefined) recordAttemptEnd(hub, { ...row, outcome }, { code, cause, upstreamStatus });
  }
}

const updateOutcome = statement({
  params: [
    uuid,
    text,
    timestamptz,
    int4,
    timestamptz,
    textOf<AttemptOutcome>(),
    nullable(int4),
    nullable(textOf<FailureCause>()),
    nullable(int8),
  ],
  row: {
    limited_provider: nullable(text),
    model: notNull(text),
    route: notNull(text),
    seconds: notNull(float8),
    cost: nullable(int8),
  },
  text: `
    WITH claimed AS (${extendClaimSql}),
    closed AS (
      UPDATE attempt SET ended_at = $5, outcome = $6, upstream_status = $7, cause = $8, cost = coalesce($9, cost), reserved = false
      FROM claimed
      WHERE generation_id = claimed.id AND n = $4 AND ended_at IS NULL
      RETURNING attempt.*
    ),
    ${correctSpendingSql}
    SELECT limited_provider, g.model, closed.route, closed.cost,
           extract(epoch FROM closed.ended_at - closed.started_at)::float8 AS seconds
    FROM closed JOIN generation g ON g.id = closed.generation_id`,
});
