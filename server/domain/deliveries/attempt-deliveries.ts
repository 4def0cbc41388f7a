import type { DueDelivery } from "../../../inngest/events";
import { attemptDelivery } from "./attempt";
import type { DeliveriesHub } from "./hub";

/** So long a step begins attempts, so that a receiver that hangs keeps no step for minutes. */
const MAX_STEP_MS = 5_000;

/**
 * Makes the next attempt of deliveries of one lane, one after another, for about `maxMs`. A delivery that waits for
 * its next attempt is dispatched to a run of its own that waits. Returns the deliveries that are left.
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
