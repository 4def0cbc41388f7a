import type { Batch } from "./types";

const ACTIVE_POLL_INTERVAL_MS = 2_000;
/** In case a stream that is followed live has missed something. */
const LIVE_POLL_INTERVAL_MS = 15_000;

/** Returns the poll interval of batches in ms: short while one is unfinished and not followed live, `idle` once all have ended. */
export function pollBatches<Idle>(batches: Pick<Batch, "completed_at">[], idle: Idle, isLive: boolean): number | Idle {
  if (batches.every(({ completed_at }) => completed_at !== null)) return idle;
  return isLive ? LIVE_POLL_INTERVAL_MS : ACTIVE_POLL_INTERVAL_MS;
}
