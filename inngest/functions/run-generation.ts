import type { Inngest } from "inngest";
import type { Hub } from "../../server/context";
import { begin } from "../../server/domain/generations/begin";
import { type Ending, finish } from "../../server/domain/generations/finish";
import type { Failure } from "../../server/domain/generations/generation";
import { wakeNext } from "../../server/domain/generations/wake";
import { work } from "../../server/domain/generations/work";

const internal: Failure = {
  code: "internal_error",
  message: "Something failed on our side; nothing was charged.",
  retryable: true,
};

/** Runs one generation from its nudge to its end. The row decides at every step: a repeated nudge finds it taken. */
export function runGeneration(inngest: Inngest, hub: Hub) {
  const end = async (account: number, ending: Ending) => {
    const ended = await finish(hub, ending);
    if (ended?.was === "running") await wakeNext(hub, account);
    return ended?.status ?? "ended before";
  };

  return inngest.createFunction(
    {
      id: "run-generation",
      triggers: [{ event: "generation/queued" }],
      concurrency: [{ key: "event.data.account", limit: hub.env.RUNNING_PER_ACCOUNT }],
      cancelOn: [{ event: "generation/canceled", match: "data.id" }],
      retries: 3,
      onFailure: async ({ event, step }) => {
        const { id, account } = event.data.event.data as { id: string; account: number };
        await step.run("fail", () => end(account, { id, from: ["queued", "running"], to: "failed", error: internal }));
      },
    },
    async ({ event, step, runId }) => {
      const { id, account } = event.data as { id: string; account: number };
      const begun = await step.run("begin", () => begin(hub, id, runId));
      if (begun !== "begun") return begun;

      for (let n = 1; ; n += 1) {
        let now = await step.run(`attempt-${n}`, () => work(hub, id, n));
        for (let k = 1; now.next === "ask-again"; k += 1) {
          // Engines wait whole seconds.
          const wait = Math.max(1, Math.ceil(now.seconds)) * 1000;
          if (now.callsBack)
            await step.waitForEvent(`report-${n}-${k}`, {
              event: "generation/reported",
              match: "data.id",
              timeout: wait,
            });
          else await step.sleep(`wait-${n}-${k}`, wait);
          now = await step.run(`ask-${n}-${k}`, () => work(hub, id, n));
        }
        if (now.next === "stop") return "ended before";
        if (now.next === "attempt") {
          if (now.pauseSeconds > 0) await step.sleep(`pause-${n}`, now.pauseSeconds * 1000);
          continue;
        }
        const { next, ...rest } = now;
        return step.run("finish", () =>
          end(account, { id, from: ["running"], to: next === "succeed" ? "succeeded" : "failed", ...rest }),
        );
      }
    },
  );
}
