import type { ErrorType } from "../../../lib/metrics/error-types";
import { dispatchDeliveries, type EventsHub, type PendingDelivery } from "../../events";
import {
  type DeliveredUnits,
  type EndedAttempt,
  type EndedGeneration,
  type FailedWork,
  type MetricsHub,
  recordAttemptEnd,
  recordGenerationEnd,
  recordUnits,
} from "../../metrics";

export type AnnouncingHub = EventsHub & MetricsHub;

type EndedRow = EndedGeneration & { deliveries: PendingDelivery[] | null };

interface EndedWork {
  failure: FailedWork & { errorType?: ErrorType };
  /** The attempts that ended with it; `cost` is in nano-euros as text. */
  attempts: (Omit<EndedAttempt, "model" | "cost"> & { cost: string | null; failure: FailedWork })[];
  units?: DeliveredUnits;
}

/**
 * Dispatches the deliveries of a generation that has ended, and counts it with its attempts. Call it once: only the caller
 * that ended it has its row.
 */
export function announceEnding(hub: AnnouncingHub, row: EndedRow, { failure, attempts, units }: EndedWork): void {
  dispatchDeliveries(hub, row.deliveries);
  recordGenerationEnd(hub, row, failure);
  for (const { failure: attemptFailure, cost, ...attempt } of attempts) {
    const ended = { model: row.model, cost: cost === null ? null : BigInt(cost), ...attempt };
    recordAttemptEnd(hub, ended, attemptFailure);
  }
  if (units) recordUnits(hub, row.model, units);
}
