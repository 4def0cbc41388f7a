import type { AttemptRow } from "../attempts";
import type { Generation } from "../row";
import type { RunHub } from "./hub";

/** The minimum time for storing what a provider has delivered (decision 90). */
const MIN_STORING_MS = 600_000;

/**
 * Returns the milliseconds until a running generation fails; 0 or less once it should have. The deadline does not shorten
 * the time for storing outputs that the provider delivered at `deliveredAt`.
 */
export function timeLeftMs(
  hub: RunHub,
  { deadline_at, timeout_seconds }: Pick<Generation, "deadline_at" | "timeout_seconds">,
  deliveredAt: AttemptRow["delivered_at"] = null,
): number {
  const now = hub.now().getTime();
  // After the system clock was set back, both are too far in the future until the sweep corrects them.
  const untilDeadlineMs = Math.min(deadline_at!.getTime() - now, timeout_seconds * 1000);
  if (deliveredAt === null) return untilDeadlineMs;
  return Math.max(untilDeadlineMs, Math.min(deliveredAt.getTime() + MIN_STORING_MS - now, MIN_STORING_MS));
}
