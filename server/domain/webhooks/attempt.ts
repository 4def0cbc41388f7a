import type { Hub } from "../../context";
import { claimDelivery } from "./claim";
import { classifyResponse } from "./classify-response";
import { nextActionFor, type NextAction } from "./next-action";
import { isSlowGroup } from "./dispatch-deliveries";
import { recordAttempt } from "./record-attempt";
import { sendDelivery } from "./send";

/**
 * Makes the next attempt of a delivery, if it is due (specification, section 6). The row decides: of several callers
 * one makes the attempt, and the others are told when to look again. An attempt that a crash cut off is made again,
 * under the same id and with the same bytes.
 */
export async function attemptDelivery(
  hub: Hub,
  nudge: { id: string; round: number; lane: string },
): Promise<NextAction> {
  const claimed = await claimDelivery(hub, nudge.id, nudge.round, isSlowGroup(nudge.lane));
  if (!claimed) return nextActionFor(hub, nudge);
  const startedAt = hub.now();
  const result = await sendDelivery(hub, claimed, startedAt);
  const now = hub.now();
  // A test is for whoever waits for its result: it is tried once.
  const delays = claimed.generation_id === null ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const verdict = classifyResponse(result, claimed.attempts + 1, delays, now);
  const retryAt = verdict.next === "retry" ? new Date(now.getTime() + verdict.afterSeconds * 1000) : null;
  await recordAttempt(hub, claimed, result, { startedAt, verdict, retryAt });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: verdict.next };
}
