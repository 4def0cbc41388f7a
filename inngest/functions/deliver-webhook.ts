import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { attemptDelivery } from "../../server/domain/webhooks/attempt";
import { MAX_PER_GROUP } from "../../server/domain/webhooks/dispatch-deliveries";
import { MAX_RETRIES, retrySteps } from "./retry-steps";

/** Delivers one event to one endpoint, attempt by attempt. The row decides at every step: a repeated nudge does no harm. */
export const deliverWebhook = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: "delivery/due" }],
      concurrency: [{ key: "event.data.lane", limit: MAX_PER_GROUP }],
      retries: MAX_RETRIES,
    },
    async ({ event, step, attempt: failures }) => {
      const nudge = event.data as { id: string; round: number; lane: string; generation: string | null };
      const runStep = retrySteps({ step, attempt: failures });
      for (let n = 1; ; n += 1) {
        const now = await runStep(`attempt-${n}`, () => attemptDelivery(hub, nudge));
        if (now.next === "end") return { id: nudge.id, generation: nudge.generation, status: now.state };
        await step.sleepUntil(`wait-${n}`, now.until);
      }
    },
  );
