import type { Inngest } from "inngest";
import type { Hub } from "../../server/domain/hub";
import { chargeAutomatically, notifyPaused } from "../../server/domain/top-ups";
import {
  applyEvents,
  checkPendingPayments,
  reconcileEvents,
  sendOpenRefunds,
} from "../../server/domain/reconciliation";

/** The minute of every hour in which lost webhooks are looked for. */
const RECONCILED_AT_MINUTE = 7;

/**
 * Brings payments to the state that their providers have, when a webhook arrived and every minute. One run at a time;
 * each step may be repeated or skipped.
 */
export const processPayments = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "process-payments",
      triggers: [{ cron: "* * * * *" }, { event: "payment/due" }],
      concurrency: [{ limit: 1 }],
      retries: 0,
    },
    async ({ event: { name }, step }) => {
      if (Object.keys(hub.payments).length === 0) return {};
      const isScheduled = name !== "payment/due";
      return {
        found:
          isScheduled && hub.now().getUTCMinutes() === RECONCILED_AT_MINUTE
            ? await step.run("reconcile-events", () => reconcileEvents(hub))
            : 0,
        applied: await step.run("apply-events", () => applyEvents(hub)),
        refunds: await step.run("send-refunds", () => sendOpenRefunds(hub)),
        checked: isScheduled ? await step.run("check-pending", () => checkPendingPayments(hub)) : 0,
        charged: await step.run("charge-automatically", () => chargeAutomatically(hub)),
        notified: await step.run("notify-paused", () => notifyPaused(hub)),
      };
    },
  );
