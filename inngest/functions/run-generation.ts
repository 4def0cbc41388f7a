import { type Inngest, StepError } from "inngest";
import {
  advanceRun,
  endRun,
  finishRun,
  type LastAction,
  type NextAction,
  type RunResult,
  startRun,
} from "../../server/domain/generations/run";
import { internalError } from "../../server/domain/generations/row";
import type { Hub } from "../../server/domain/hub";
import { GenerationFailed } from "../generation-failed";
import { isDatabaseOutage, MAX_RETRIES, retrySteps } from "./retry-steps";

/**
 * Runs one generation from its dispatch to its end. The row decides at every step: a repeated event finds it taken,
 * and a run that was replaced stops. A run that ends in any other way leaves its row to the sweep, which has another
 * run take it over.
 */
export const runGeneration = (inngest: Inngest, hub: Hub) =>
  inngest.createFunction(
    {
      id: "run-generation",
      triggers: [{ event: "generation/queued" }],
      concurrency: [{ key: "event.data.account", limit: hub.env.RUNNING_PER_ACCOUNT }],
      cancelOn: [{ event: "generation/canceled", match: "data.id" }],
      retries: MAX_RETRIES,
    },
    async ({ event, step, runId, attempt }) => {
      const { id, traceparent } = event.data as { id: string; traceparent?: string };
      const run = { generationId: id, runId };
      const attributes = { "hub.generation_id": id, "hub.run_id": runId };
      const trace = { tracing: hub.tracing, name: "run-generation", attributes, link: traceparent };
      const runStep = retrySteps({ step, attempt }, trace);
      const pause = async (action: Pausing, place: string) => {
        if (action.next === "wait") {
          const timeout = toWholeSeconds(action.waitSeconds);
          return step.waitForEvent(`hold-${place}`, { event: "generation/dispatched", match: "data.id", timeout });
        }
        if (action.pollAfterSeconds === 0) return undefined;
        const timeout = toWholeSeconds(action.pollAfterSeconds);
        if (!action.callsBack) return step.sleep(`wait-${place}`, timeout);
        return step.waitForEvent(`report-${place}`, { event: "generation/reported", match: "data.id", timeout });
      };
      const advance = async (): Promise<RunResult> => {
        let action = await runStep("attempt-1", () => startRun(hub, run));
        for (let n = 1; ; n += 1) {
          for (let k = 1; action.next === "poll" || action.next === "wait"; k += 1) {
            await pause(action, `${n}-${k}`);
            action = await runStep(`ask-${n}-${k}`, () => advanceRun(hub, run, n));
          }
          if (action.next === "end") return action.result;
          if (action.next !== "attempt") return finish(action);
          if (action.pauseSeconds > 0) await step.sleep(`pause-${n}`, action.pauseSeconds * 1000);
          action = await runStep(`attempt-${n + 1}`, () => advanceRun(hub, run, n + 1));
        }
      };
      const finish = (action: LastAction) => runStep("finish", () => finishRun(hub, run, action));
      const result = await advance().catch((error: unknown) => {
        // A generation is not at fault when the database was unavailable for longer than a step is retried.
        if (!(error instanceof StepError) || isDatabaseOutage(error)) throw error;
        return runStep("fail", () => endRun(hub, run, { to: "failed", error: internalError }));
      });
      if (result.status === "failed") throw new GenerationFailed(result.error!);
      const { status, cost } = result;
      return { id, status, cost };
    },
  );

type Pausing = Extract<NextAction, { next: "poll" | "wait" }>;

/** Rounds seconds up, because engines wait whole seconds. Returns milliseconds. */
const toWholeSeconds = (seconds: number): number => Math.max(1, Math.ceil(seconds)) * 1000;
