import type { Inngest } from "inngest";
import { sendMessages } from "../../server/domain/alerts";
import type { Hub } from "../../server/domain/hub";
import { raiseOperatorAlerts } from "../../server/domain/operator-alerts";

/** Finds every minute what is wrong with the hub, and alerts its operators. One run at a time; each step may be repeated. */
export const alertOperators = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "alert-operators", triggers: [{ cron: "* * * * *" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ step }) => ({
      changed: await step.run("raise-operator-alerts", () => raiseOperatorAlerts(hub)),
      sent: await step.run("send-messages", () => sendMessages(hub)),
    }),
  );
