import type { JobState } from "../provider";

type Pending = Extract<JobState, { state: "pending" }>;

// A clock that is wrong by less is taken for a slow one.
const MAX_SKEW_MS = 86_400_000;

/** The id of a job that ends at `until`: all there is to know of it, so that nothing has to be remembered. */
export const buildWaitId = (from: Date, seconds: number): string =>
  `${from.getTime()}:${from.getTime() + seconds * 1000}`;

/** The state of a waiting job, or null once its time has come. */
export function getWaitState(upstreamId: string, now: Date): Pending | null {
  const [from = 0, until = 0] = upstreamId.split(":").map(Number);
  const left = (until - now.getTime()) / 1000;
  if (until === Infinity) return { state: "pending", upstreamId, progress: null, pollAfterSeconds: 2 };
  // A clock far before its beginning has gone back: then nobody knows how long it has waited.
  if (left <= 0 || now.getTime() < from - MAX_SKEW_MS) return null;
  const part = (now.getTime() - from) / (until - from);
  return {
    state: "pending",
    upstreamId,
    progress: Math.min(0.99, Math.max(0, Math.floor(part * 100) / 100)),
    // Twenty steps of progress for whoever watches, but no flood of them.
    pollAfterSeconds: Math.min(left, Math.max(0.5, (until - from) / 20_000)),
  };
}
