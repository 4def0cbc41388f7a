import type { Hub } from "../../context";
import { memoizePer } from "../../lib/memoize-per";
import { createJobWaiters } from "./job-waiters";
import { reportPresence } from "./presence";
import { requeueExpiredLeases } from "./requeue";
import { leaseNextJob, type LeasedJob } from "./lease-next-job";
import type { Worker } from "./worker";

export interface ClaimRequest {
  models: string[];
  waitMs?: number;
  /** Aborts when the worker has hung up. */
  signal?: AbortSignal;
}

/** The line of this process; `tell` is called with every notice on the workers' channel. */
export const jobWaitersOf = memoizePer((hub: Hub) => createJobWaiters(() => requeueExpiredLeases(hub)));

/** Takes the next job of these models, and waits for one if there is none now; null when the time is over. */
export async function waitForJob(
  hub: Hub,
  worker: Worker,
  { models, waitMs = 0, signal }: ClaimRequest,
): Promise<LeasedJob | null> {
  reportPresence(hub, worker, models);
  // In line before it looks, so that what is told in between is not missed.
  const place = jobWaitersOf(hub).join(models);
  const until = performance.now() + waitMs;
  let taken: LeasedJob | null = null;
  try {
    do taken = (await leaseNextJob(hub, worker, models)) ?? (await takeOver(hub, worker, models));
    while (!taken && (await place.wait(until - performance.now(), signal)));
    return taken;
  } finally {
    place.leave(taken !== null);
  }
}

/** A job that another worker has just lost. */
const takeOver = async (hub: Hub, worker: Worker, models: string[]): Promise<LeasedJob | null> =>
  (await requeueExpiredLeases(hub)) > 0 ? leaseNextJob(hub, worker, models) : null;
