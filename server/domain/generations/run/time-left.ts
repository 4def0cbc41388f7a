import type { AttemptRow } from "../attempts";
import type { Generation } from "../row";
import type { RunHub } from "./hub";

/** How long the hub tries to store what a provider has delivered, at least (decision 90). */
export const MIN_STORING_MS = 600_000;

/**
 * Returns the milliseconds until a generation fails if it is still running; 0 or less when it is past that. Its deadline does
 * not cut short the time to store outputs that its open attempt was delivered.
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
