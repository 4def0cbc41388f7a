import type { Inngest } from "inngest";
import { attemptDeliveries, attemptDelivery } from "../../server/domain/deliveries";
import { MAX_PER_GROUP } from "../../server/domain/events";
import type { Hub } from "../../server/domain/hub";
import type { DueDelivery } from "../events";
import { MAX_RETRIES, retrySteps } from "./retry-steps";

/**
 * Delivers one event to one endpoint, attempt by attempt, or makes the next attempt of several deliveries. The row
 * decides at every step, so a repeated event does no harm.
 */
export const deliverWebhook = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: "delivery/due" }],
      concurrency: [{ key: "event.data.lane", limit: MAX_PER_GROUP }],
      retries: MAX_RETRIES,
    },
    async ({ event, step, attempt: failures }) => {
      const { more = [], ...delivery } = event.data as DueDelivery & { lane: string; more?: DueDelivery[] };
      const attributes = { "hub.delivery_id": delivery.id, "hub.generation_id": delivery.generation ?? undefined };
      const trace = { tracing: hub.tracing, name: "deliver-webhook", attributes };
      const runStep = retrySteps({ step, attempt: failures }, trace);
      if (more.length > 0) {
        let left = [delivery, ...more];
        for (let n = 1; left.length > 0; n += 1)
          left = await runStep(`deliver-${n}`, () => attemptDeliveries(hub, left, delivery.lane));
        return { deliveries: more.length + 1 };
      }
      for (let n = 1; ; n += 1) {
        const action = await runStep(`attempt-${n}`, () => attemptDelivery(hub, delivery));
        if (action.next === "end") return { id: delivery.id, generation: delivery.generation, status: action.state };
        await step.sleepUntil(`wait-${n}`, action.until);
      }
    },
  );
