import type { Inngest } from "inngest";
import type { Hub } from "../../server/domain/hub";
import { fetchNextInput } from "../../server/domain/inputs";
import { MAX_RETRIES, retrySteps } from "./retry-steps";

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
      retries: MAX_RETRIES,
    },
    async ({ event, step, attempt }) => {
      const { id } = event.data as { id: string };
      const trace = { tracing: hub.tracing, name: "fetch-inputs", attributes: { "hub.generation_id": id } };
      const runStep = retrySteps({ step, attempt }, trace);
      for (let n = 1; ; n += 1) {
        const action = await runStep(`fetch-${n}`, () => fetchNextInput(hub, id));
        if (action.next === "end") return { id };
        if (action.next === "pause") await step.sleep(`pause-${n}`, action.seconds * 1000);
      }
    },
  );
