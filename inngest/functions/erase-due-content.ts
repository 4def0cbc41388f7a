import { setTimeout as sleep } from "node:timers/promises";
import type { Inngest } from "inngest";
import { eraseDue } from "../../server/domain/erasure";
import type { Hub } from "../../server/domain/hub";

/** How long one step erases, and how many steps follow each other until the next minute. */
const MAX_STEP_MS = 5_000;
const MAX_STEPS = 10;

/** Erases every minute the content that is due. Each step may be repeated or skipped. */
export const eraseDueContent = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    { id: "erase-due-content", triggers: [{ cron: "* * * * *" }], concurrency: [{ limit: 1 }], retries: 0 },
    async ({ step }) => {
      let erased = 0;
      for (let n = 1; n <= MAX_STEPS; n += 1) {
        const batch = await step.run(`erase-${n}`, () => eraseForSeconds(hub));
        erased += batch.count;
        if (batch.isDone) break;
      }
      return { erased };
    },
  );

/**
 * Erases what is due for about five seconds, and pauses as long after each batch as it took, so that requests keep half of the
 * database's time. Returns how many generations it was, and whether nothing is left.
 */
async function eraseForSeconds(hub: Hub): Promise<{ count: number; isDone: boolean }> {
  const deadline = performance.now() + MAX_STEP_MS;
  for (let count = 0; ;) {
    const startedAt = performance.now();
    const erased = await eraseDue(hub);
    count += erased;
    if (erased === 0 || performance.now() >= deadline) return { count, isDone: erased === 0 };
    await sleep(performance.now() - startedAt);
  }
}
