import type { Queryable } from "../../../db/client";
import { bool, int4, int8, jsonbText, nullable, text, textOf, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { Nano } from "../../../lib/money";
import { type AttemptRow, claimForSubmit, type RouteReason, type Run } from "../attempts";
import { attemptColumns, attemptColumnsSql, claimForAttemptSql } from "../attempts/sql";
import { countPlace } from "../queue";
import { countSpendingSql } from "../queue/sql";
import type { Candidate } from "./choose-route";
import type { RunHub } from "./hub";

export interface NewAttempt extends Omit<Candidate, "isTrial"> {
  n: number;
  /** How long the submit may take; the claim is extended until then. */
  submitMs: number;
}

/** The additional columns of an attempt at a provider with limits. */
export interface Place {
  /** What it counts towards the spend limit, in nano-euros; null without such a limit. */
  cost: Nano | null;
  /** Whether the submit comes in a later step. */
  reserved: boolean;
}

const toValues = (
  hub: RunHub,
  { generationId, runId }: Run,
  { n, route, reason, passedOver, submitMs }: NewAttempt,
) => {
  const skipped = passedOver.length > 0 ? JSON.stringify(passedOver) : null;
  const { id, provider } = route;
  const until = claimForSubmit(hub, submitMs);
  const { kind, keyVariable } = provider;
  return [generationId, runId, until, n, id, kind, hub.now(), skipped, keyVariable, reason] as const;
};

/**
 * Inserts an attempt before it is submitted, or begins the submit of a reserved one, and extends the claim for as long as
 * the submit may take. Only the caller that gets the row may submit; returns null when the attempt exists already, the
 * claim was lost, or the customer has canceled.
 */
export const openAttempt = async (hub: RunHub, run: Run, attempt: NewAttempt): Promise<AttemptRow | null> =>
  (await insertAttempt(hub.db, ...toValues(hub, run, attempt)))[0] ?? null;

const newAttemptParams = [
  uuid,
  text,
  timestamptz,
  int4,
  text,
  text,
  timestamptz,
  nullable(jsonbText),
  nullable(text),
  textOf<RouteReason>(),
] as const;

const insertAttempt = statement({
  params: newAttemptParams,
  row: attemptColumns,
  text: `
    WITH claimed AS (${claimForAttemptSql})
    INSERT INTO attempt (generation_id, n, route, provider, started_at, passed_over, key, reason)
    SELECT id, $4, $5, $6, $7, $8::jsonb, $9, $10 FROM claimed
    ON CONFLICT (generation_id, n) DO UPDATE SET reserved = false, started_at = EXCLUDED.started_at WHERE attempt.reserved
    RETURNING ${attemptColumnsSql}`,
});

/**
 * Inserts an attempt that takes a place at a provider with limits, like `openAttempt`. Call it in the transaction that has
 * found the place free.
 */
export async function insertLimitedAttempt(
  hub: RunHub,
  db: Queryable,
  run: Run,
  { cost, reserved, ...attempt }: NewAttempt & Place,
): Promise<AttemptRow | null> {
  const values = toValues(hub, run, attempt);
  const [row] = await insertAtLimitedProvider(db, ...values, attempt.route.provider.id, reserved, cost);
  if (row) await countPlace(hub, db, attempt.route.provider.id, run.generationId);
  return row ?? null;
}

const insertAtLimitedProvider = statement({
  params: [...newAttemptParams, text, bool, nullable(int8)],
  row: attemptColumns,
  text: `
    WITH claimed AS (${claimForAttemptSql}),
    opened AS (
      INSERT INTO attempt (generation_id, n, route, provider, started_at, passed_over, key, reason, limited_provider, reserved, budget_day, budget_cost)
      SELECT id, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, ($7::timestamptz AT TIME ZONE 'UTC')::date, $13 FROM claimed
      ON CONFLICT (generation_id, n) DO NOTHING
      RETURNING *
    ),
    ${countSpendingSql}
    SELECT ${attemptColumnsSql.replaceAll("attempt.", "opened.")} FROM opened`,
});
