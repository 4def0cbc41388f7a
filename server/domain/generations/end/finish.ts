import type { HubParts } from "../../../context";
import { int4, int8, json, jsonb, nullable, text, textOf } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import type { Queryable } from "../../../db/client";
import { isDataError } from "../../../db/violation";
import { type Batcher, createBatcher } from "../../../lib/batch";
import type { ConcurrencyLimit } from "../../../lib/concurrency-limit";
import type { Nano } from "../../../lib/money";
import type { Failure, FailureCause, FailureCode } from "../../../providers/failure";
import type { ErrorType } from "../../../lib/metrics/error-types";
import type { DeliveredUnits } from "../../metrics";
import { publishOutputsSql } from "../../files/sql";
import { missingInputsSql } from "../../references/sql";
import { type ChangeServices, reportChange } from "../changes";
import { dispatchForProvider, onOutputsStored, type QueueHub } from "../queue";
import { correctSpendingSql } from "../queue/sql";
import type { AttemptEnd, AttemptOutcome } from "../attempts";
import { outputListSql } from "../row/sql";
import type { FinalStatus, Status } from "../row";
import { gpuCostSql, meteredAtSql, finalGpuMsSql } from "./meter";
import { announceEnding, type AnnouncingHub } from "./announce-ending";
import { chargeSql, composeEndingSql, endingColumns, endingParams } from "./ending-sql";

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
  ...endingColumns,
  account_id: int4,
  was: textOf<Status>(),
  error: nullable(jsonb<Failure>()),
  gpu_ms: int8,
  closed_attempt: nullable(json<ClosedAttempt>()),
  limited_provider: nullable(text),
};

type Ended = RowOf<typeof endedColumns>;

interface ClosedAttempt {
  route: string;
  outcome: AttemptOutcome;
  cause: FailureCause | null;
  upstream_status: number | null;
  seconds: number;
  /** Nano-euros as text. */
  cost: string | null;
}

export interface FinishServices {
  finishGeneration: Batcher<Ending, Ended | null>;
}

/**
 * Ends a generation: writes its final state, settlement, outputs and events in one statement, which concurrent callers
 * share. Returns null when it was in none of the states of `from`. A chat with an answer is ended by `settleChat`.
 */
export const finishGeneration = (hub: { services: FinishServices }, ending: Ending): Promise<Ended | null> =>
  hub.services.finishGeneration(ending);

type FinishParts = Pick<HubParts, "catalogue" | "db" | "now"> & AnnouncingHub & QueueHub & { services: ChangeServices };

/** Returns the batcher of `finishGeneration`. */
export const createFinishBatcher = (hub: FinishParts, limiter: ConcurrencyLimit): FinishServices["finishGeneration"] =>
  createBatcher((endings) => finishMany(hub, endings), { limiter, isOfOneItem: isDataError });

async function finishMany(hub: FinishParts, endings: Ending[]): Promise<(Ended | null)[]> {
  // Of several endings of one generation in a batch, the first is applied.
  const unique = endings.filter((ending, index) => endings.findIndex(({ id }) => id === ending.id) === index);
  const rows = await applyEndings(hub.db.ledgerConnection, unique, hub.now());
  const endingsById = new Map(unique.map((ending) => [ending.id, ending]));
  for (const row of rows) {
    announceEnding(hub, row, describeEnding(hub, endingsById.get(row.id)!, row));
    reportChange(hub, row.id);
  }
  const providers = new Set(rows.flatMap(({ limited_provider }) => limited_provider ?? []));
  for (const provider of providers) dispatchForProvider(hub, provider);
  const withOutputs = unique.filter(({ outputs }) => outputs).map(({ id }) => id);
  if (withOutputs.length > 0) await onOutputsStored(hub, withOutputs);
  const ended = new Map(rows.map((row) => [row.id, row]));
  return endings.map((ending) => (unique.includes(ending) ? (ended.get(ending.id) ?? null) : null));
}

function describeEnding(hub: FinishParts, { error, attempt, errorType, units, outputs }: Ending, row: Ended) {
  const code = error?.code;
  const failure = { code, cause: attempt?.cause, upstreamStatus: attempt?.upstreamStatus, errorType };
  return {
    failure,
    attempts: describeAttempts(row.closed_attempt, code),
    units: row.status === "succeeded" ? (units ?? unitsOfWorker(hub, row, outputs)) : undefined,
  };
}

/** Returns the attempt that ended; none if it was reserved but never made: then it is refused without a cause. */
function describeAttempts(closed: ClosedAttempt | null, code: FailureCode | undefined) {
  if (!closed || (closed.outcome === "refused" && closed.cause === null)) return [];
  const { cause, upstream_status: upstreamStatus, ...attempt } = closed;
  return [{ ...attempt, failure: { code, cause, upstreamStatus } }];
}

/** Returns what a worker delivered. Its outputs count as images if the model makes nothing else. */
function unitsOfWorker(hub: FinishParts, { model, gpu_ms }: Ended, outputs = 0): DeliveredUnits {
  const modalities = hub.catalogue.get(model)?.outputModalities ?? [];
  const makesImages = modalities.length > 0 && modalities.every((modality) => modality === "image");
  return { images: makesImages ? outputs : 0, gpuSeconds: Number(gpu_ms) / 1000 };
}

/**
 * Ends several different generations in one statement. Does not dispatch the deliveries, so that it can run in a
 * transaction.
 */
export const applyEndings = (db: Queryable, endings: Ending[], now: Date): Promise<Ended[]> =>
  finishGenerations(db, { endings: JSON.stringify(endings.map(toRow)), now });

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

const finishGenerations = statement({
  params: endingParams,
  row: endedColumns,
  shownIn: "server/domain/generations/end/finish.sql",
  text: composeEndingSql({
    form: "full",
    input: `id uuid, "from" text[], "to" text, cost bigint, run_id text, fence int, gpu_ms bigint, error jsonb, outputs int,
        outcome text, upstream_status int, upstream_cost bigint, cause text`,
    isValid: "outputs >= 0",
    locked: `SELECT g.id, g.status AS was, g.started_at, meter.spent, ${meteredAtSql(":now::timestamptz")} AS metered_at,
             g.gpu_ms_before_lease, g.leased_at,
             coalesce(ending.cost, CASE WHEN ending."to" = 'failed' THEN 0
                                       WHEN g.fence > 0 THEN ${gpuCostSql("meter.spent")}
                                       WHEN ending."to" = 'succeeded' THEN g.estimated_cost ELSE 0 END) AS cost
      FROM generation g JOIN ending ON ending.id = g.id
      CROSS JOIN LATERAL (
        SELECT ${finalGpuMsSql({ to: 'ending."to"', reported: "ending.gpu_ms", now: ":now::timestamptz" })} AS spent
      ) meter
      WHERE g.status = ANY (ending."from") AND g.settled_at IS NULL
        AND (ending.run_id IS NULL OR g.run_id = ending.run_id)
        AND (ending.fence IS NULL OR g.fence = ending.fence) AND (ending.gpu_ms IS NULL OR g.lease_expires_at > :now)`,
    isUnanswered: `ending."to" = 'failed'`,
    assignments: `started_at = locked.started_at,
        billed_cost = CASE WHEN locked.started_at IS NOT NULL THEN ${chargeSql("locked.cost")} END,
        excess_cost = greatest(locked.cost - g.estimated_cost, ending.upstream_cost - g.estimated_cost, 0),
        missing = CASE locked.was WHEN 'awaiting_supply' THEN (SELECT jsonb_agg(item ORDER BY n) ${missingInputsSql}) END,
        gpu_ms = locked.spent, metered_at = locked.metered_at, gpu_ms_before_lease = locked.gpu_ms_before_lease,
        leased_at = locked.leased_at`,
    hasOwnWebhooks: true,
    columns: `coalesce(g.missing, '[]') AS missing, g.webhook, g.fence, g.metered_at, g.gpu_ms, g.character_id,
                ending.outputs AS output_count`,
    rest: `
    -- The open attempt. A concurrent report with a later time may have been stored before it ends.
    closed AS (
      UPDATE attempt SET
        ended_at = greatest(:now, ended.metered_at), upstream_status = ending.upstream_status,
        cost = coalesce(ending.upstream_cost, attempt.cost), cause = ending.cause, reserved = false,
        outcome = CASE WHEN attempt.reserved THEN 'refused'
                       ELSE coalesce(ending.outcome, CASE ended.status WHEN 'canceled' THEN 'canceled' ELSE 'lost' END) END
      FROM ended JOIN ending ON ending.id = ended.id
      WHERE attempt.generation_id = ended.id AND attempt.ended_at IS NULL
      RETURNING attempt.*
    ),
    ${correctSpendingSql},
    ${publishOutputsSql}`,
    lists: { outputs: outputListSql("published", "f.generation_id = changed.id"), missing: "changed.missing" },
    result: `account_id, was, error, gpu_ms,
           (SELECT json_build_object('route', route, 'outcome', outcome, 'cause', cause, 'upstream_status', upstream_status,
              'seconds', extract(epoch FROM closed.ended_at - closed.started_at), 'cost', closed.cost::text)
            FROM closed WHERE closed.generation_id = ended.id LIMIT 1) AS closed_attempt,
           (SELECT max(limited_provider) FROM closed WHERE closed.generation_id = ended.id) AS limited_provider`,
  }),
});
