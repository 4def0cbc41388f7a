import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import type { JobState } from "../../providers/provider";
import { findRoutes } from "../routing/find-routes";
import { type AttemptRow, type AttemptEnd, closeAttempt } from "../generations/attempts";
import type { Generation } from "../generations/generation";
import type { NextAction, AttemptContext } from "./next-action";

/**
 * Returns the route of attempt `n`: the one it was opened with, otherwise the first that has not rejected the work.
 * Undefined when none is left, or the model has been removed from the catalogue.
 */
export function pickRoute(
  hub: Hub,
  { model: modelId, input }: Generation,
  attempts: Pick<AttemptRow, "n" | "route" | "outcome">[],
  n: number,
): Route | undefined {
  const model = hub.catalogue.get(modelId);
  const routes = model ? findRoutes(hub, model, input) : [];
  const opened = attempts.find((attempt) => attempt.n === n);
  if (opened) return routes.find(({ id }) => id === opened.route);
  return routes.find(({ id }) => !attempts.some((attempt) => attempt.route === id && attempt.outcome === "refused"));
}

const MAX_FAILURES = 3;
const RETRY_DELAYS_SECONDS = [1, 5];

/**
 * Decides what follows a failed attempt: a retry after a delay, a retry on the next route when this one certainly did
 * no work, or the failure of the generation.
 */
export async function decideRetry(
  hub: Hub,
  { generation, run, attempts, n, route, leftMs }: AttemptContext,
  { error, started, upstreamStatus }: Extract<JobState, { state: "failed" }>,
): Promise<NextAction> {
  const attempt: AttemptEnd = { outcome: started ? "failed" : "refused", upstreamStatus };
  const earlier = attempts.filter((other) => other.n !== n);
  const failures = earlier.filter(({ outcome }) => outcome === "failed").length + Number(started);
  const allAttempts = [...earlier, { n, route: route.id, outcome: attempt.outcome }];
  const canRetry = started
    ? error.retryable && failures < MAX_FAILURES
    : pickRoute(hub, generation, allAttempts, n + 1) !== undefined;
  if (!canRetry || leftMs <= 0) return { next: "fail", error, attempt };
  const pauseSeconds = started ? RETRY_DELAYS_SECONDS[failures - 1]! : 0;
  await closeAttempt(hub, run, n, { ...attempt, pauseSeconds });
  return { next: "attempt", pauseSeconds };
}
