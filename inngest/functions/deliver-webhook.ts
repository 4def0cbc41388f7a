import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { attempt } from "../../server/domain/webhooks/attempt";

// So few that one dead receiver, which holds each of them for 15 seconds, leaves most of the engine to the others.
const AT_ONCE_PER_ENDPOINT = 4;

/** Delivers one event to one endpoint, attempt by attempt. The row decides at every step: a repeated nudge does no harm. */
export const deliverWebhook = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "deliver-webhook",
      triggers: [{ event: "delivery/due" }],
      concurrency: [{ key: "event.data.endpoint", limit: AT_ONCE_PER_ENDPOINT }],
      retries: 3,
    },
    async ({ event, step }) => {
      const { id, round } = event.data as { id: string; round: number };
      for (let n = 1; ; n += 1) {
        const now = await step.run(`attempt-${n}`, () => attempt(hub, id, round));
        if (now.next === "end") return now.state;
        await step.sleepUntil(`wait-${n}`, now.until);
      }
    },
  );
