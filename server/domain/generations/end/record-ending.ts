import type { Hub } from "../../../context";
import { float8, int8, json, nullable, text } from "../../../db/column-types";
import type { RowOf } from "../../../db/statement";
import type { Failure, FailureCause } from "../../../providers/failure";
import type { ErrorType } from "../../../lib/metrics/error-types";
import { type DeliveredUnits, recordAttemptEnd, recordGenerationEnd, recordUnits } from "../../metrics/record-work";
import type { AttemptEnd, AttemptOutcome } from "../attempts/attempts";

/** What the statement that ends generations returns for the metrics alone. */
export const measuredColumns = {
  model: text,
  run_seconds: nullable(float8),
  gpu_ms: int8,
  excess_cost: int8,
  closed_attempt: nullable(json<ClosedAttempt>()),
};

interface ClosedAttempt {
  route: string;
  outcome: AttemptOutcome;
  cause: FailureCause | null;
  upstream_status: number | null;
  seconds: number;
  /** Nano-euros as text. */
  cost: string | null;
}

interface MeasuredEnding {
  error?: Failure;
  outputs?: number;
  attempt?: AttemptEnd;
  units?: DeliveredUnits;
  errorType?: ErrorType;
}

type EndedRow = RowOf<typeof measuredColumns> & { status: string; billed_cost: bigint | null };

/** Counts a generation that has ended, with its last attempt. Call it once: only the caller that ended it has its row. */
export function recordEnding(hub: Hub, ending: MeasuredEnding, row: EndedRow): void {
  const { error, attempt, errorType } = ending;
  const code = error?.code;
  recordGenerationEnd(hub, row, { code, cause: attempt?.cause, upstreamStatus: attempt?.upstreamStatus, errorType });
  const { closed_attempt: closedAttempt } = row;
  // An attempt that is refused without a cause was reserved, but never made.
  if (closedAttempt && (closedAttempt.outcome !== "refused" || closedAttempt.cause !== null)) {
    const { cause, upstream_status: upstreamStatus, cost, ...closed } = closedAttempt;
    const ended = { ...closed, model: row.model, cost: cost === null ? null : BigInt(cost) };
    recordAttemptEnd(hub, ended, { code, cause, upstreamStatus });
  }
  if (row.status === "succeeded") recordUnits(hub, row.model, ending.units ?? unitsOfWorker(hub, ending, row));
}

/** Returns what a worker delivered. Its outputs count as images where the model makes nothing else. */
function unitsOfWorker(hub: Hub, { outputs = 0 }: MeasuredEnding, { model, gpu_ms }: EndedRow): DeliveredUnits {
  const modalities = hub.catalogue.get(model)?.outputModalities ?? [];
  const makesImages = modalities.length > 0 && modalities.every((modality) => modality === "image");
  return { images: makesImages ? outputs : 0, gpuSeconds: Number(gpu_ms) / 1000 };
}
