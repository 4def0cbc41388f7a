import type { Run } from "../attempts";
import { beginRun } from "./begin-run";
import { endRun, findResult, type RunResult } from "./end-run";
import type { RunHub } from "./hub";
import { type NextAction, toEnding } from "./next-action";
import { runAttempt } from "./run-attempt";

/** What a run does next: one of the actions, or nothing more. */
export type Advance = NextAction | { next: "end"; result: RunResult };
export type LastAction = Extract<NextAction, { next: "succeed" | "fail" | "stop" }>;

/**
 * Begins a run and advances it: both in one step, because each step costs a round trip of the job engine. A run that has
 * ended its generation already, and is repeated, has that result.
 */
export async function startRun(hub: RunHub, run: Run): Promise<Advance> {
  const status = await beginRun(hub, run);
  if (status === "running") return advanceRun(hub, run, 1);
  const result = await findResult(hub, run);
  if (result.status !== "superseded") return { next: "end", result };
  return { next: "end", result: { ...result, status } };
}

/** Makes or resumes attempt `n`, and finishes the run if that was its last one. */
export async function advanceRun(hub: RunHub, run: Run, n: number): Promise<Advance> {
  const action = await runAttempt(hub, run, n);
  if (action.next !== "succeed" && action.next !== "fail" && action.next !== "stop") return action;
  try {
    return { next: "end", result: await finishRun(hub, run, action) };
  } catch (error) {
    // A step of its own does it. To repeat this one could lose an attempt that has succeeded.
    hub.log.warn({ err: error, generation: run.generationId }, "run not finished yet");
    return action;
  }
}

/** Ends the run's generation by its last action, and returns its result. */
export const finishRun = (hub: RunHub, run: Run, action: LastAction): Promise<RunResult> =>
  action.next === "stop" ? findResult(hub, run) : endRun(hub, run, toEnding(action));
