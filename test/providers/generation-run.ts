import { randomUUID } from "node:crypto";
import { parseCatalogue } from "../../server/catalogue/parse";
import { contextOf } from "../../server/context";
import { createAccount } from "../../server/domain/people/create-account";
import { runAudit } from "../../server/domain/audit/audit";
import { type Run, takeOver } from "../../server/domain/generations/attempts/claim";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { beginRun } from "../../server/domain/generations/run/advance-run";
import { endRun } from "../../server/domain/generations/run/end-run";
import {
  type EndingAction,
  isEnding,
  type NextAction,
  toEnding,
} from "../../server/domain/generations/run/next-action";
import { catalogueWith } from "../catalogue";
import { type TestHub, testHub } from "../hub";
import { type Crash, createDyingProcess, createProcess, type StepRunner } from "./dying-process";
import { CREDIT, type EndedRun, readEnd } from "./ended-run";
import { findUnmarked } from "./find-unmarked";

const MAX_STEPS = 500;
/** The interval between checks whether a route can be tried. */
const BEGIN_MS = 10_000;
const MAX_BEGINS = 100;
/** The interval between checks whether the claim of a dead process has expired. */
const TAKE_OVER_MS = 40_000;
const MAX_TAKE_OVERS = 12;

export interface RunOptions {
  crash?: Crash;
  /** Awaited after each step, with the generation's id. */
  afterStep?: (id: string) => Promise<void>;
  /** How much of its time has passed before its first step. */
  lateMs?: number;
}

/** A hub with the models of a catalogue, whose runs are driven step by step on a clock that never waits. */
export interface ProviderHub {
  hub: TestHub;
  /** Runs one generation of a new account from its start to its end. */
  run(model: string, input: Record<string, unknown>, options?: RunOptions): Promise<EndedRun>;
}

/** Opens a hub whose providers' variables are set. */
export async function openProviderHub(
  yaml: string,
  settings: Record<string, string> = {},
  variables: Record<string, string> = {},
): Promise<ProviderHub> {
  const hub = await testHub(settings);
  hub.catalogue = catalogueWith(parseCatalogue(yaml, { file: "test", variables }).models);
  return {
    hub,
    async run(model, input, options = {}) {
      const id = await start(hub, model, input);
      await driveGeneration(hub, id, options);
      return readEnd(hub, id);
    },
  };
}

async function start(hub: TestHub, model: string, input: Record<string, unknown>): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const account = await createAccount(hub, { email });
  await creditAccount(hub, account, { amount: CREDIT });
  const ctx = contextOf(
    hub,
    { id: account, email, member: true, balance: CREDIT, reserved: 0n },
    { kind: "user" },
    "test",
  );
  return (await startGeneration(ctx, { model, input }, null)).generation.id;
}

/** Runs a queued generation as the job engine does, without its waits: the clock moves on instead. */
export async function driveGeneration(hub: TestHub, generationId: string, options: RunOptions): Promise<void> {
  const { crash, afterStep, lateMs = 0 } = options;
  let run: Run = { generationId, runId: "first" };
  await begin(hub, run);
  hub.clock.advance(lateMs);
  let runStep: StepRunner = crash ? createDyingProcess(hub, crash) : createProcess(hub);
  let diesAtEnd = crash?.step === "end";
  for (let n = 1, step = 1; step <= MAX_STEPS; step += 1) {
    let action = await runStep(run, n, step);
    await afterStep?.(generationId);
    if (action !== "died" && isEnding(action)) {
      if (!diesAtEnd) return void (await endRun(hub, run, toEnding(action)));
      diesAtEnd = false;
      action = "died";
    }
    if (action === "died") {
      run = await replaceRun(hub, generationId);
      runStep = createProcess(hub);
      n = 1;
      continue;
    }
    if (action.next === "stop") return;
    hub.clock.advance(readPauseSeconds(action) * 1000);
    if (action.next === "attempt") n += 1;
  }
  throw new Error(`the generation has not ended after ${MAX_STEPS} steps`);
}

/** Begins a run as soon as its route, which has failed in earlier runs, can be tried again. */
async function begin(hub: TestHub, run: Run): Promise<void> {
  for (let tries = 0; tries < MAX_BEGINS; tries += 1) {
    const start = await beginRun(hub, run);
    if (start === "running") return;
    if (start !== "waiting") throw new Error(`the generation is ${start}`);
    hub.clock.advance(BEGIN_MS);
  }
  throw new Error("the generation does not begin");
}

type Pausing = Exclude<NextAction, EndingAction | { next: "stop" }>;

function readPauseSeconds(action: Pausing): number {
  if (action.next === "poll") return action.pollAfterSeconds;
  return action.next === "wait" ? action.waitSeconds : action.pauseSeconds;
}

/** Takes a generation over from a process that has died, as soon as its claim has expired. */
async function replaceRun(hub: TestHub, generationId: string): Promise<Run> {
  const run = { generationId, runId: "second" };
  for (let tries = 0; tries < MAX_TAKE_OVERS; tries += 1) {
    hub.clock.advance(TAKE_OVER_MS);
    if (await takeOver(hub, run)) return run;
  }
  throw new Error("the generation cannot be taken over");
}

/** Returns the violations that the audit of a hub finds, and its outputs without a mark. */
export const findViolations = async ({ hub }: ProviderHub) => [
  ...(await runAudit(hub.db)).violations,
  ...(await findUnmarked(hub)),
];
