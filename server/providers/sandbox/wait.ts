import type { JobState } from "../provider";

type Pending = Extract<JobState, { state: "pending" }>;

// A clock that is behind by less than this still counts as waiting.
const MAX_SKEW_MS = 86_400_000;

/** Returns the id of a waiting job. It encodes the start and end, so that no state has to be stored. */
export const buildWaitId = (from: Date, seconds: number): string =>
  `${from.getTime()}:${from.getTime() + seconds * 1000}`;

/** Returns the state of a waiting job; null when its time is over. */
export function getWaitState(upstreamId: string, now: Date): Pending | null {
  const [from = 0, until = 0] = upstreamId.split(":").map(Number);
  const remainingSeconds = (until - now.getTime()) / 1000;
  if (until === Infinity) return { state: "pending", upstreamId, progress: null, pollAfterSeconds: 2 };
  // A clock far behind the start was set back; the waiting time is unknown, so the wait ends.
  if (remainingSeconds <= 0 || now.getTime() < from - MAX_SKEW_MS) return null;
  const progress = (now.getTime() - from) / (until - from);
  return {
    state: "pending",
    upstreamId,
    progress: Math.min(0.99, Math.max(0, Math.floor(progress * 100) / 100)),
    // About twenty progress updates, at most two per second.
    pollAfterSeconds: Math.min(remainingSeconds, Math.max(0.5, (until - from) / 20_000)),
  };
}
