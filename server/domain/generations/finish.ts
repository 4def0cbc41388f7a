import type { Hub } from "../../context";
import { int4, int8, json, jsonb, jsonText, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { Queryable } from "../../db/client";
import { createBatcher } from "../../lib/batch";
import type { ConcurrencyLimit } from "../../lib/concurrency-limit";
import type { Nano } from "../../lib/money";
import type { Failure } from "../../providers/failure";
import { settleSql } from "../ledger/settle";
import type { ErrorType } from "../../lib/metrics/error-types";
import type { DeliveredUnits } from "../metrics/record-work";
import { publishOutputsSql } from "../files/output-sql";
import { dispatchDeliveries, type PendingDelivery } from "../events/dispatch-deliveries";
import { missingInputsSql } from "../references/missing";
import { pendingDeliveriesSql } from "../events/emit-events";
import { dispatchForProvider } from "./dispatch-waiting";
import { correctSpendingSql } from "./provider-spending";
import { onOutputsStored } from "./supply";
import { gpuCostSql, meteredAtSql, finalGpuMsSql } from "./meter";
import type { AttemptEnd } from "./attempts";
import { setFinalStateSql, emitEndedEventsSql } from "./final-state-sql";
import { columnsSql, outputListSql } from "./generation";
import { measuredColumns, recordEnding } from "./record-ending";
import type { FinalStatus, Status } from "./transitions";

export interface Ending {
  id: string;
  /** The states in which this ending applies; in any other state nothing changes. */
  from: Status[];
  to: FinalStatus;
  /**
   * The charge if it had started, at most the estimate. By default a worker's generation costs its GPU time unless it
   * failed, any other success costs the estimate, and everything else costs nothing.
   */
  cost?: Nano;
  /** Ends it only while this run holds it. */
  runId?: string;
  /** Ends it only while this is its newest lease (0: it never had one). */
  fence?: number;
  /** The GPU time that the worker reports; its lease must not have expired. */
  gpuMs?: number;
  error?: Failure;
  /** The number of stored outputs, which become visible with the success. */
  outputs?: number;
  /** The result of the open attempt. */
  attempt?: AttemptEnd;
  /** What it delivered, for the metrics; a worker's GPU time is added. */
  units?: DeliveredUnits;
  /** The type for the metrics, if it does not follow from the error. */
  errorType?: ErrorType;
}

const endedColumns = {
  id: uuid,
  account_id: int4,
  was: textOf<Status>(),
  status: textOf<FinalStatus>(),
  billed_cost: nullable(int8),
  error: nullable(jsonb<Failure>()),
};

export type Ended = RowOf<typeof endedColumns>;

/**
 * Ends a generation: writes its final state, settlement, outputs and events in one statement, which concurrent callers
 * share. Returns null when it was in none of the states of `from`. A chat with an answer is ended by `settleChat`.
 */
export const finishGeneration = (hub: Hub, ending: Ending): Promise<Ended | null> =>
  hub.services.finishGeneration(ending);

/** Returns the batcher of `finishGeneration`. */
export const createFinishBatcher = (hub: Hub, limiter: ConcurrencyLimit) =>
  createBatcher<Ending, Ended | null>((endings) => finishMany(hub, endings), { limiter });

async function finishMany(hub: Hub, endings: Ending[]): Promise<(Ended | null)[]> {
  // Of several endings of one generation in a batch, the first is applied.
  const unique = endings.filter((ending, index) => endings.findIndex(({ id }) => id === ending.id) === index);
  const rows = await applyEndings(hub.db.ledgerConnection, unique, hub.now());
  for (const row of rows) {
    dispatchDeliveries(hub, row.deliveries);
    recordEnding(
      hub,
      unique.find(({ id }) => id === row.id)!,
      row,
    );
  }
  const providers = new Set(rows.flatMap(({ limited_provider }) => limited_provider ?? []));
  for (const provider of providers) dispatchForProvider(hub, provider);
  const withOutputs = unique.filter(({ outputs }) => outputs).map(({ id }) => id);
  if (withOutputs.length > 0) await onOutputsStored(hub, withOutputs);
  const ended = new Map(rows.map((row) => [row.id, row]));
  return endings.map((ending) => (unique.includes(ending) ? (ended.get(ending.id) ?? null) : null));
}

/**
 * Ends several different generations in one statement. Does not dispatch the deliveries, so that it can run in a
 * transaction.
 */
export const applyEndings = (db: Queryable, endings: Ending[], now: Date): Promise<EndedRow[]> =>
  finishGenerations(db, JSON.stringify(endings.map(toRow)), now);

const endedRowColumns = {
  ...endedColumns,
  ...measuredColumns,
  limited_provider: nullable(text),
  deliveries: nullable(json<PendingDelivery[]>()),
};
type EndedRow = RowOf<typeof endedRowColumns>;

const toRow = ({ id, from, to, cost, runId, fence, gpuMs, error, outputs = 0, attempt }: Ending) => ({
  id,
  from,
  to,
  fence,
  error,
  outputs,
  run_id: runId,
  gpu_ms: gpuMs,
  cost: cost?.toString(),
  outcome: attempt?.outcome,
  upstream_status: attempt?.upstreamStatus,
  upstream_cost: attempt?.cost,
  cause: attempt?.cause,
});

// The conditions on the input always hold: they show the planner that it has few rows, because it would scan whole
// tables while these have no statistics (decision 8).
const finishGenerations = statement({
  params: [jsonText, timestamptz],
  row: endedRowColumns,
  text: `
    WITH ending AS (
      SELECT * FROM json_to_recordset($1::json) AS row (
        id uuid, "from" text[], "to" text, cost bigint, run_id text, fence int, gpu_ms bigint, error jsonb, outputs int,
        outcome text, upstream_status int, upstream_cost bigint, cause text)
      WHERE "to" IN ('succeeded', 'failed', 'canceled') AND outputs >= 0
    ),
    locked AS MATERIALIZED (
      SELECT g.id, g.status AS was, g.started_at, meter.spent, ${meteredAtSql("$2::timestamptz")} AS metered_at,
             g.gpu_ms_before_lease, g.leased_at,
             coalesce(ending.cost, CASE WHEN ending."to" = 'failed' THEN 0
                                       WHEN g.fence > 0 THEN ${gpuCostSql("meter.spent")}
                                       WHEN ending."to" = 'succeeded' THEN g.estimated_cost ELSE 0 END) AS cost
      FROM generation g JOIN ending ON ending.id = g.id
      CROSS JOIN LATERAL (
        SELECT ${finalGpuMsSql({ to: 'ending."to"', reported: "ending.gpu_ms", now: "$2::timestamptz" })} AS spent
      ) meter
      WHERE g.status = ANY (ending."from") AND g.settled_at IS NULL
        AND (ending.run_id IS NULL OR g.run_id = ending.run_id)
        AND (ending.fence IS NULL OR g.fence = ending.fence) AND (ending.gpu_ms IS NULL OR g.lease_expires_at > $2)
      ORDER BY g.id FOR NO KEY UPDATE OF g
    ),
    ended AS (
      UPDATE generation g SET
        ${setFinalStateSql()}, started_at = locked.started_at,
        billed_cost = CASE WHEN locked.started_at IS NOT NULL THEN least(locked.cost, g.estimated_cost) END,
        excess_cost = greatest(locked.cost - g.estimated_cost, ending.upstream_cost - g.estimated_cost, 0),
        missing = CASE locked.was WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n) ${missingInputsSql}) END,
        gpu_ms = locked.spent, metered_at = locked.metered_at, gpu_ms_before_lease = locked.gpu_ms_before_lease, leased_at = locked.leased_at
      FROM locked JOIN ending ON ending.id = locked.id
      WHERE g.id = locked.id
      RETURNING ${columnsSql("g")}, coalesce(g.missing, '[]') AS missing, g.fence, g.metered_at, g.gpu_ms, g.excess_cost, g.character_id, locked.was, ending.outputs AS output_count, coalesce(g.billed_cost, 0) AS charge
    ), ${settleSql},
    closed AS (
      UPDATE attempt SET
        -- A concurrent report with a later time may have been stored before this one.
        ended_at = greatest($2, ended.metered_at), upstream_status = ending.upstream_status,
        cost = coalesce(ending.upstream_cost, attempt.cost), cause = ending.cause, reserved = false,
        outcome = CASE WHEN attempt.reserved THEN 'refused'
                       ELSE coalesce(ending.outcome, CASE ended.status WHEN 'canceled' THEN 'canceled' ELSE 'lost' END) END
      FROM ended JOIN ending ON ending.id = ended.id
      WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
      RETURNING attempt.*
    ),
    ${correctSpendingSql},
    ${publishOutputsSql},
    ${emitEndedEventsSql({ outputs: outputListSql("published", "f.generation_id = changed.id"), missing: "changed.missing" })}
    SELECT id, account_id, was, status, billed_cost, error, model, gpu_ms, excess_cost,
           extract(epoch FROM completed_at - started_at)::float8 AS run_seconds, ${pendingDeliveriesSql("ended.id")},
           (SELECT json_build_object('route', route, 'outcome', outcome, 'cause', cause, 'upstream_status', upstream_status,
              'seconds', extract(epoch FROM closed.ended_at - closed.started_at), 'cost', closed.cost::text)
            FROM closed WHERE closed.generation_id = ended.id LIMIT 1) AS closed_attempt,
           (SELECT max(limited_provider) FROM closed WHERE closed.generation_id = ended.id) AS limited_provider
    FROM ended`,
});
