import type { AttemptEnd } from "../attempts";
import { findRoutesLeft } from "./choose-route";
import { closeAttempt } from "./close-attempt";
import type { RunHub } from "./hub";
import type { AttemptContext, NextAction } from "./next-action";

/**
 * Returns the next attempt after a lost answer, if the route says that its work is bought again, another route can serve it
 * and nothing was lost before; otherwise null. What was lost may be billed too, at the operator's risk (decision 134).
 */
export async function buyElsewhere(
  hub: RunHub,
  { generation, run, route, attempt, attempts, leftMs }: AttemptContext,
  end: Omit<AttemptEnd, "outcome">,
): Promise<NextAction | null> {
  if (route.onUnknown !== "retry" || leftMs <= 0 || generation.cancel_requested_at !== null) return null;
  if (attempts.some(({ outcome }) => outcome === "lost")) return null;
  const lost = { outcome: "lost" as const, cause: end.cause ?? "outage" };
  const ended = attempts.map((other) => (other.id === attempt.id ? { ...other, ...lost } : other));
  if (findRoutesLeft(hub, generation, ended).length === 0) return null;
  hub.log.warn(
    { generation: generation.id, route: route.id },
    "response lost; retrying on another route, which may be billed twice",
  );
  await closeAttempt(hub, run, attempt.n, { ...end, ...lost, pauseSeconds: 0, code: "provider_error" });
  return { next: "attempt", pauseSeconds: 0 };
}
