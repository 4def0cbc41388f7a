import type { Hub } from "../../context";
import { oncePer } from "../../lib/once-per";
import { createLine } from "./line";
import { announce } from "./presence";
import { requeueLapsed } from "./requeue";
import { take, type Taken } from "./take";
import type { Worker } from "./worker";

export interface ClaimRequest {
  models: string[];
  waitMs?: number;
  /** Aborts when the worker has hung up. */
  signal?: AbortSignal;
}

/** The line of this process; `tell` is called with every notice on the workers' channel. */
export const lineOf = oncePer((hub: Hub) => createLine(() => requeueLapsed(hub)));

/** Takes the next job of these models, and waits for one if there is none now; null when the time is over. */
export async function claim(
  hub: Hub,
  worker: Worker,
  { models, waitMs = 0, signal }: ClaimRequest,
): Promise<Taken | null> {
  announce(hub, worker, models);
  // In line before it looks, so that what is told in between is not missed.
  const place = lineOf(hub).join(models);
  const until = performance.now() + waitMs;
  let taken: Taken | null = null;
  try {
    do taken = (await take(hub, worker, models)) ?? (await takeOver(hub, worker, models));
    while (!taken && (await place.told(until - performance.now(), signal)));
    return taken;
  } finally {
    place.leave(taken !== null);
  }
}

/** A job that another worker has just lost. */
const takeOver = async (hub: Hub, worker: Worker, models: string[]): Promise<Taken | null> =>
  (await requeueLapsed(hub)) > 0 ? take(hub, worker, models) : null;
