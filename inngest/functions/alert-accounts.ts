import type { Inngest } from "inngest";
import { raiseAlerts, sendMessages } from "../../server/domain/alerts";
import type { Hub } from "../../server/domain/hub";

/** Finds every minute what has crossed a limit, and sends the alerts. One run at a time; each step may be repeated. */
export const alertAccounts = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "alert-accounts", triggers: [{ cron: "* * * * *" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ step }) => ({
      searched: await step.run("raise-alerts", () => raiseAlerts(hub)),
      sent: await step.run("send-messages", () => sendMessages(hub)),
    }),
  );
