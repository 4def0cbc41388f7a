import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { fetchNextInput } from "../../server/domain/inputs/fetch-next-input";

const MAX_FETCHES_PER_ACCOUNT = 4;

/**
 * Fetches the outside content that a worker's generation names, one address a step, so that a worker can claim it. The
 * rows decide at every step: a repeated event finds nothing to do, and the sweep repeats a lost one.
 */
export const fetchInputs = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "fetch-inputs",
      triggers: [{ event: "generation/inputs" }],
      concurrency: [{ key: "event.data.account", limit: MAX_FETCHES_PER_ACCOUNT }],
      retries: 3,
    },
    async ({ event, step }) => {
      const { id } = event.data as { id: string };
      for (let n = 1; ; n += 1) {
        const now = await step.run(`fetch-${n}`, () => fetchNextInput(hub, id));
        if (now.next === "end") return;
        if (now.next === "pause") await step.sleep(`pause-${n}`, now.seconds * 1000);
      }
    },
  );
