import type { Hub } from "../../context";
import { isSlowGroup } from "../events/dispatch-deliveries";
import { claimDelivery } from "./claim";
import { classifyResponse } from "./classify-response";
import { nextActionFor, type NextAction } from "./next-action";
import { recordAttempt } from "./record-attempt";
import { sendDelivery } from "./send";

/**
 * Makes the next attempt of a delivery if it is due (specification, section 6). Of concurrent callers only one makes
 * the attempt; the others get the time of the next one. An attempt interrupted by a crash is repeated with the same id
 * and body.
 */
export async function attemptDelivery(hub: Hub, due: { id: string; round: number; lane: string }): Promise<NextAction> {
  const claimed = await claimDelivery(hub, due.id, due.round, isSlowGroup(due.lane));
  if (!claimed) return nextActionFor(hub, due);
  const startedAt = hub.now();
  const result = await sendDelivery(hub, claimed, startedAt);
  const now = hub.now();
  // A test event is attempted once, because somebody is waiting for its result.
  const delays = claimed.generation_id === null ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const decision = classifyResponse(result, claimed.attempts + 1, delays, now);
  const retryAt = decision.next === "retry" ? new Date(now.getTime() + decision.afterSeconds * 1000) : null;
  await recordAttempt(hub, claimed, result, { startedAt, decision, retryAt });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: decision.next };
}
