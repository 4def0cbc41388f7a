import type { Hub } from "../../context";
import type { JobState } from "../../providers/provider";
import { type AttemptEnd, closeAttempt } from "./attempts";
import type { NextAction, AttemptContext } from "./next-action";
import { pickRoute } from "./pick-route";

const MAX_TRIES = 3;
const PAUSE_SECONDS = [1, 5];

/**
 * Decides what follows a failed attempt: another one after a pause, on the next route when this one surely did no work,
 * or the generation's end.
 */
export async function decideRetry(
  hub: Hub,
  { generation, run, attempts, n, route, leftMs }: AttemptContext,
  { error, started, upstreamStatus }: Extract<JobState, { state: "failed" }>,
): Promise<NextAction> {
  const attempt: AttemptEnd = { outcome: started ? "failed" : "refused", upstreamStatus };
  const earlier = attempts.filter((one) => one.n !== n);
  const failures = earlier.filter(({ outcome }) => outcome === "failed").length + Number(started);
  const after = [...earlier, { n, route: route.id, outcome: attempt.outcome }];
  const again = started
    ? error.retryable && failures < MAX_TRIES
    : pickRoute(hub, generation, after, n + 1) !== undefined;
  if (!again || leftMs <= 0) return { next: "fail", error, attempt };
  const pauseSeconds = started ? PAUSE_SECONDS[failures - 1]! : 0;
  await closeAttempt(hub, run, n, { ...attempt, pauseSeconds });
  return { next: "attempt", pauseSeconds };
}
