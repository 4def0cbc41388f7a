import type { Db } from "../../server/db/client";
import type { Run } from "../../server/domain/generations/attempts/claim";
import { internalError } from "../../server/domain/generations/row/failures";
import type { NextAction } from "../../server/domain/generations/run/next-action";
import { runAttempt } from "../../server/domain/generations/run/run-attempt";
import { deriveHub } from "../derive-hub";
import type { TestHub } from "../hub";

const MAX_STEP_TRIES = 4;

/** Where the process that runs a generation dies: in a step, or after the last step and before it ends the generation. */
export interface Crash {
  /** The first step in which it may die, counted from 1. */
  step: number | "end";
  /** Whether it is dead, from that step on; by default at the step's first query. */
  isDead?: () => boolean;
}

/** Runs the steps of a generation, as the job engine does. */
export type StepRunner = (run: Run, n: number, step: number) => Promise<NextAction | "died">;

/** Returns a process that lives. */
export const createProcess =
  (hub: TestHub): StepRunner =>
  (run, n) =>
    runStep(hub, run, n, () => false);

/** Returns a process that dies: from then on, nothing of it reaches the database. */
export function createDyingProcess(hub: TestHub, { step: first, isDead = () => true }: Crash): StepRunner {
  let hasCome = false;
  const isOver = () => hasCome && isDead();
  const dying = deriveHub(hub, { db: breakDb(hub.db, isOver), publish: () => undefined });
  return async (run, n, step) => {
    hasCome = first !== "end" && step >= first;
    let hasEnded = false;
    const ended = runStep(dying, run, n, isOver).finally(() => {
      hasEnded = true;
    });
    // A process that waits for a provider dies while it waits.
    await Promise.race([ended, until(() => hasEnded || isOver())]);
    return isOver() ? "died" : ended;
  };
}

/** Runs a step as the engine does: repeats it when it throws, and ends the generation if it never succeeds. */
async function runStep(hub: TestHub, run: Run, n: number, isDead: () => boolean): Promise<NextAction | "died"> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runAttempt(hub, run, n);
    } catch (error) {
      if (isDead()) return "died";
      hub.clock.advance(tries * 1000);
      if (tries < MAX_STEP_TRIES) continue;
      hub.log.error({ err: error }, "step failed");
      return { next: "fail", error: internalError, attempt: { outcome: "failed" } };
    }
  }
}

function breakDb(db: Db, isDead: () => boolean): Db {
  const guard = <T>(work: () => Promise<T>): Promise<T> => (isDead() ? Promise.reject(new Error("killed")) : work());
  return {
    ...db,
    query: (text, values) => guard(() => db.query(text, values)),
    transaction: (work) => guard(() => db.transaction(work)),
    ledgerConnection: { query: (text, values) => guard(() => db.ledgerConnection.query(text, values)) },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
