import { bool, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { runInSpan } from "../../lib/tracing/tracing";
import { dispatchDeliveries, isSlowGroup } from "../events";
import { claimDelivery } from "./claim";
import { classifyResponse } from "./classify-response";
import type { DeliveriesHub } from "./hub";
import { recordAttempt } from "./record-attempt";
import { sendDelivery } from "./send";

/**
 * Makes the next attempt of a delivery if it is due (specification, section 6). Of concurrent callers only one makes
 * the attempt; the others get the time of the next one. An attempt interrupted by a crash is repeated with the same id
 * and body.
 */
export async function attemptDelivery(
  hub: DeliveriesHub,
  due: { id: string; round: number; lane: string },
): Promise<NextAction> {
  const claimed = await claimDelivery(hub, { id: due.id, round: due.round, inSlowGroup: isSlowGroup(due.lane) });
  if (!claimed) return nextActionFor(hub, due);
  const startedAt = hub.now();
  const result = await runInSpan(
    hub.tracing,
    () => ({ name: `webhook ${claimed.name}`, kind: "client", attributes: { "hub.endpoint_id": claimed.endpoint_id } }),
    () => sendDelivery(hub, claimed, startedAt),
  );
  const now = hub.now();
  // A test event is attempted once, because somebody is waiting for its result.
  const delays = claimed.generation_id === null ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const decision = classifyResponse(result, claimed.attempts + 1, delays, now);
  const retryAt = decision.next === "retry" ? new Date(now.getTime() + decision.afterSeconds * 1000) : null;
  await recordAttempt(hub, { claim: claimed, result, startedAt, decision, retryAt });
  hub.metrics.webhookDeliveries.add({ outcome: decision.next });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: decision.next };
}

/** The next action of a delivery's run; `until` is in ISO 8601. */
export type NextAction = { next: "wait"; until: string } | { next: "end"; state: string };

/** Returns the next action for a delivery that the caller could not claim. */
export async function nextActionFor(
  hub: DeliveriesHub,
  due: { id: string; round: number; lane: string },
): Promise<NextAction> {
  const { id, round, lane } = due;
  const [row] = await selectDelivery(hub.db, id);
  if (!row || row.round !== round || !row.next_attempt_at) return { next: "end", state: row?.state ?? "gone" };
  if (row.revoked) {
    // The delivery was inserted concurrently with the revocation, which did not see it.
    await cancelDelivery(hub.db, id, hub.now());
    return { next: "end", state: "canceled" };
  }
  if (row.slow && !isSlowGroup(lane)) {
    dispatchDeliveries(hub, [{ ...row, id }]);
    return { next: "end", state: "moved to the slow lane" };
  }
  return { next: "wait", until: row.next_attempt_at.toISOString() };
}

const selectDelivery = statement({
  params: [uuid],
  row: {
    state: text,
    round: int4,
    next_attempt_at: nullable(timestamptz),
    endpoint_id: uuid,
    generation_id: nullable(uuid),
    slow: bool,
    revoked: bool,
  },
  text: `
  SELECT d.state, d.round, d.next_attempt_at, d.endpoint_id, e.generation_id, p.slow, p.revoked_at IS NOT NULL AS revoked
  FROM delivery d JOIN endpoint p ON p.id = d.endpoint_id JOIN event e ON e.n = d.event_n WHERE d.id = $1`,
});

const cancelDelivery = statement({
  params: [uuid, timestamptz],
  row: {},
  text: `
  UPDATE delivery SET state = 'canceled', ended_at = $2, next_attempt_at = NULL, redispatch_at = NULL
  WHERE id = $1 AND state = 'pending'`,
});
