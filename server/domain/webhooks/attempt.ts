import type { Hub } from "../../context";
import { claim } from "./claim";
import { judge } from "./judge";
import { look, type Step } from "./look";
import { isSlowLane } from "./nudge";
import { record } from "./record";
import { send } from "./send";

/**
 * Makes the next attempt of a delivery, if it is due (specification, section 6). The row decides: of several callers
 * one makes the attempt, and the others are told when to look again. An attempt that a crash cut off is made again,
 * under the same id and with the same bytes.
 */
export async function attempt(hub: Hub, nudge: { id: string; round: number; lane: string }): Promise<Step> {
  const claimed = await claim(hub, nudge.id, nudge.round, isSlowLane(nudge.lane));
  if (!claimed) return look(hub, nudge);
  const startedAt = hub.now();
  const result = await send(hub, claimed, startedAt);
  const now = hub.now();
  // A test is for whoever waits for its result: it is tried once.
  const delays = claimed.generation_id === null ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const verdict = judge(result, claimed.attempts + 1, delays, now);
  const retryAt = verdict.next === "retry" ? new Date(now.getTime() + verdict.afterSeconds * 1000) : null;
  await record(hub, claimed, result, { startedAt, verdict, retryAt });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: verdict.next };
}
