import { uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { claimTrial, hasLimits, releaseTrial } from "../../routing";
import type { Run } from "../attempts";
import { clearWaits, recordWaits, type WaitReason } from "../queue";
import type { Generation } from "../row";
import { generationColumns, generationSql } from "../row/sql";
import { type Candidate, chooseRoute } from "./choose-route";
import { endRun, findResult, type RunResult } from "./end-run";
import type { RunHub } from "./hub";
import { afterStart, markRunning, type RunStart, startInSlot } from "./mark-running";
import { type EndingAction, isEnding, type NextAction, toEnding } from "./next-action";
import { insertLimitedAttempt } from "./open-attempt";
import { runAttempt } from "./run-attempt";
import { holdsBack, withPlace } from "./take-place";

/** What a run does next: one of the actions, or nothing more. */
type Advance = NextAction | { next: "end"; result: RunResult };
export type LastAction = EndingAction | Extract<NextAction, { next: "stop" }>;

/**
 * Begins a run and advances it: both in one step, because each step costs a round trip of the job engine. A repeated run that
 * has already ended its generation returns that result.
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
  if (!isEnding(action) && action.next !== "stop") return action;
  try {
    return { next: "end", result: await finishRun(hub, run, action) };
  } catch (error) {
    // A separate step ends the run, because repeating this one could lose an attempt that has succeeded.
    hub.log.warn({ err: error, generation: run.generationId }, "run not finished yet");
    return action;
  }
}

/** Ends the run's generation by its last action, and returns its result. */
export const finishRun = (hub: RunHub, run: Run, action: LastAction): Promise<RunResult> =>
  action.next === "stop" ? findResult(hub, run) : endRun(hub, run, toEnding(action));

/**
 * Begins the run of a queued generation, like `markRunning`. Returns `waiting` when none of its routes can be tried now: it
 * stays queued, without a slot of its account and without a deadline, and is dispatched again when one can be tried. A
 * place at a provider with limits is reserved at once, so that no generation runs only to wait for it.
 */
export async function beginRun(hub: RunHub, run: Run): Promise<RunStart | "waiting"> {
  const [generation] = holdsBack(hub) ? await selectQueued(hub.db, run.generationId) : [];
  if (!generation) return markRunning(hub, run);
  const choice = await chooseRoute(hub, generation, [], (candidate) => startOn(hub, run, generation, candidate));
  if (choice === "none") return markRunning(hub, run);
  if ("started" in choice) {
    // Even if it got no slot, because those behind it must not wait for it.
    await clearWaits(hub, hub.db, generation.id);
    return choice.started;
  }
  await recordWaits(hub, generation.id, "queued", choice.waits);
  return "waiting";
}

const selectQueued = statement({
  params: [uuid],
  row: generationColumns,
  text: `SELECT ${generationSql} FROM generation g WHERE g.id = $1 AND g.status = 'queued' AND g.provider <> 'worker'`,
});

async function startOn(
  hub: RunHub,
  run: Run,
  generation: Generation,
  candidate: Candidate,
): Promise<{ started: RunStart } | WaitReason> {
  const { route, reason, passedOver, isTrial } = candidate;
  if (hasLimits(route.provider)) {
    const result = await withPlace(hub, generation, candidate, async (tx, cost) => {
      const row = await startInSlot(hub, tx, run);
      const attempt = { n: 1, route, reason, passedOver, submitMs: 0, cost, reserved: true };
      if (row?.status === "running") await insertLimitedAttempt(hub, tx, run, attempt);
      else if (isTrial) await releaseTrial(hub, tx, route, generation.id);
      return { row };
    });
    return typeof result === "string" ? result : { started: await afterStart(hub, run, result.row) };
  }
  if (isTrial && !(await claimTrial(hub, hub.db, route, generation.id))) return "cooling_down";
  const started = await markRunning(hub, run);
  if (isTrial && started !== "running") await releaseTrial(hub, hub.db, route, generation.id);
  return { started };
}
