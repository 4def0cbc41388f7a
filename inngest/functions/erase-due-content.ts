import type { Inngest } from "inngest";
import { eraseDueFor } from "../../server/domain/erasure";
import type { Hub } from "../../server/domain/hub";

/** How long one step erases, and how many steps run one after the other in a minute. */
const MAX_STEP_MS = 5_000;
const MAX_STEPS = 10;

/** Erases every minute the content that is due. Each step may be repeated or skipped. */
export const eraseDueContent = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "erase-due-content", triggers: [{ cron: "* * * * *" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ step }) => {
      let erased = 0;
      for (let n = 1; n <= MAX_STEPS; n += 1) {
        const batch = await step.run(`erase-${n}`, () => eraseDueFor(hub, MAX_STEP_MS));
        erased += batch.count;
        if (batch.isDone) break;
      }
      return { erased };
    },
  );
