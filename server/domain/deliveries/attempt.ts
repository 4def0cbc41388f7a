import type { DueDelivery } from "../../../inngest/events";
import { bool, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { runInSpan } from "../../lib/tracing/tracing";
import { dispatchDeliveries, getRedispatchTime, isSlowGroup, TEST_EVENT } from "../events";
import { classifyResponse } from "./classify-response";
import type { DeliveriesHub } from "./hub";
import { sendDelivery } from "./send";

/** When an attempt is due again that was not sent, because too many others to its host were under way. */
const UNSENT_RETRY_MS = 5_000;

/**
 * Makes the next attempt of a delivery if it is due (specification, section 6). Of concurrent callers one makes it; the
 * others get the time of the next attempt. An attempt that a crash interrupts is repeated with the same id and body. One that
 * was not sent is due again soon and does not count.
 */
export async function attemptDelivery(
  hub: DeliveriesHub,
  due: { id: string; round: number; lane: string },
): Promise<NextAction> {
  const request = { id: due.id, round: due.round, inSlowGroup: isSlowGroup(due.lane) };
  const claimed = await hub.services.claimDelivery(request);
  if (!claimed) return nextActionFor(hub, due);
  const startedAt = hub.now();
  const result = await runInSpan(
    hub.tracing,
    () => ({ name: `webhook ${claimed.name}`, kind: "client", attributes: { "hub.endpoint_id": claimed.endpoint_id } }),
    () => sendDelivery(hub, claimed, startedAt),
  );
  const now = hub.now();
  if (!result) {
    const until = new Date(now.getTime() + UNSENT_RETRY_MS);
    await releaseClaim(hub.db, due.id, due.round, claimed.attempts, until, getRedispatchTime(until), now);
    return { next: "wait", until: until.toISOString() };
  }
  // A test event is attempted once, because somebody is waiting for its result.
  const delays = claimed.name === TEST_EVENT ? [] : hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  const decision = classifyResponse(result, claimed.attempts + 1, delays, now);
  const retryAt = decision.next === "retry" ? new Date(now.getTime() + decision.afterSeconds * 1000) : null;
  await hub.services.recordAttempt({ claim: claimed, result, startedAt, decision, retryAt });
  hub.metrics.webhookDeliveries.add({ outcome: decision.next });
  return retryAt ? { next: "wait", until: retryAt.toISOString() } : { next: "end", state: decision.next };
}

// The condition is that of `recordAttempt`: the delivery may have been canceled or sent again meanwhile.
const releaseClaim = statement({
  params: [uuid, int4, int4, timestamptz, timestamptz, timestamptz],
  row: {},
  text: `
  UPDATE delivery SET next_attempt_at = $4, redispatch_at = $5, scheduled_at = $6
  WHERE id = $1 AND round = $2 AND attempts = $3 AND state = 'pending'`,
});

/** For how long a step starts attempts, so that an endpoint that hangs does not prolong it by minutes. */
const MAX_STEP_MS = 5_000;

/**
 * Makes the next attempt of deliveries of one concurrency group, one after another, for about `maxMs`. A delivery that must
 * wait for its next attempt is dispatched to its own run. Returns the deliveries that are left.
 */
export async function attemptDeliveries(
  hub: DeliveriesHub,
  deliveries: DueDelivery[],
  lane: string,
  maxMs = MAX_STEP_MS,
): Promise<DueDelivery[]> {
  const deadline = performance.now() + maxMs;
  for (const [index, { id, generation, round }] of deliveries.entries()) {
    if (index > 0 && performance.now() >= deadline) return deliveries.slice(index);
    const { next } = await attemptDelivery(hub, { id, round, lane });
    if (next === "wait") hub.publish({ name: "delivery/due", data: { id, generation, round, lane } });
  }
  return [];
}

/** The next action of a delivery's run; `until` is in ISO 8601. */
export type NextAction = { next: "wait"; until: string } | { next: "end"; state: string };

/** Returns the next action for a delivery that the caller could not claim. */
async function nextActionFor(
  hub: DeliveriesHub,
  { id, round, lane }: { id: string; round: number; lane: string },
): Promise<NextAction> {
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
