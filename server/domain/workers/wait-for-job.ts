import { type LeasedJob, leaseNextJob, requeueExpiredLeases } from "../generations/run";
import type { WorkersHub } from "./hub";
import { reportPresence } from "./presence";
import type { Worker } from "./worker";

export interface ClaimRequest {
  models: string[];
  waitMs?: number;
  /** Aborts when the worker disconnects. */
  signal?: AbortSignal;
}

/** Leases the next job of these models, and waits up to `waitMs` for one; null when the time is over. */
export async function waitForJob(
  hub: WorkersHub,
  worker: Worker,
  { models, waitMs = 0, signal }: ClaimRequest,
): Promise<LeasedJob | null> {
  reportPresence(hub, worker, models);
  // Join before the first query, so that no notification is missed in between.
  const ticket = hub.services.jobWaiters.join(models);
  const until = performance.now() + waitMs;
  let job: LeasedJob | null = null;
  try {
    do job = (await leaseNextJob(hub, worker, models)) ?? (await leaseExpiredJob(hub, worker, models));
    while (!job && (await ticket.wait(until - performance.now(), signal)));
    return job;
  } finally {
    ticket.leave(job !== null);
  }
}

/** Leases a job whose previous lease has just expired; null when there is none. */
const leaseExpiredJob = async (hub: WorkersHub, worker: Worker, models: string[]): Promise<LeasedJob | null> =>
  (await requeueExpiredLeases(hub)) > 0 ? leaseNextJob(hub, worker, models) : null;
