import { randomUUID } from "node:crypto";
import { parseCatalogue } from "../../server/catalogue/parse";
import { contextOf } from "../../server/context";
import type { Db } from "../../server/db/client";
import { createAccount } from "../../server/domain/accounts/account";
import { runAudit } from "../../server/domain/audit/audit";
import { takeOver } from "../../server/domain/generations/claim";
import { internalError } from "../../server/domain/generations/failures";
import { markRunning } from "../../server/domain/generations/mark-running";
import { startGeneration } from "../../server/domain/generations/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { endRun } from "../../server/domain/runs/end-run";
import { type NextAction, toEnding } from "../../server/domain/runs/next-action";
import { runAttempt } from "../../server/domain/runs/run-attempt";
import { catalogueWith } from "../catalogue";
import { deriveHub } from "../derive-hub";
import { type TestHub, testHub } from "../hub";

const CREDIT = 1_000_000_000_000n;
const MAX_STEPS = 500;
const MAX_STEP_TRIES = 4;
const CLAIM_MS = 400_000;

/** A generation after its end, with its attempts and the money of its account, in nano-euros. */
export interface EndedRun {
  status: string;
  error: { code: string; message: string; retryable: boolean } | null;
  estimate: bigint;
  billed: bigint | null;
  attempts: { n: number; route: string; outcome: string; cause: string | null; cost: bigint | null }[];
  outputs: { media_type: string; size: bigint }[];
  spent: bigint;
  reserved: bigint;
}

/** What goes wrong in the hub itself: the process dies in the step with this number, counted from 1. */
export interface Crash {
  step: number;
  /** From when on its database cannot be reached any more; by default from the first query of the step on. */
  isDead?: () => boolean;
}

/** A hub with the models of a catalogue, whose runs are driven step by step on a clock that never waits. */
export interface ProviderHub {
  hub: TestHub;
  /** Runs one generation of a new account from its start to its end. */
  run(model: string, input: Record<string, unknown>, crash?: Crash): Promise<EndedRun>;
}

/** Opens a hub whose providers' variables are set. */
export async function openProviderHub(yaml: string, settings: Record<string, string> = {}): Promise<ProviderHub> {
  const hub = await testHub(settings);
  hub.catalogue = catalogueWith(parseCatalogue(yaml, { file: "test", variables: {} }).models);
  return {
    hub,
    async run(model, input, crash) {
      const id = await start(hub, model, input);
      await drive(hub, id, crash);
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

/** Does what the job engine does, without its waits: the clock moves on instead. */
async function drive(hub: TestHub, generationId: string, crash?: Crash): Promise<void> {
  let run = { generationId, runId: "first" };
  if ((await markRunning(hub, run)) !== "running") throw new Error("the generation does not start");
  let n = 1;
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    if (step === crash?.step) {
      await dieInStep(hub, run, n, crash);
      hub.clock.advance(CLAIM_MS);
      run = { generationId, runId: "second" };
      if (!(await takeOver(hub, run))) return;
      continue;
    }
    const action = await tryStep(hub, run, n);
    if (action.next === "stop") return;
    if (action.next === "succeed" || action.next === "fail") return void (await endRun(hub, run, toEnding(action)));
    if (action.next === "poll") hub.clock.advance(action.pollAfterSeconds * 1000);
    if (action.next === "wait") hub.clock.advance(action.waitSeconds * 1000);
    if (action.next === "attempt") {
      hub.clock.advance(action.pauseSeconds * 1000);
      n += 1;
    }
  }
  throw new Error(`the generation has not ended after ${MAX_STEPS} steps`);
}

/** Runs a step as the engine does: again when it throws, and without success it ends the generation. */
async function tryStep(hub: TestHub, run: { generationId: string; runId: string }, n: number): Promise<NextAction> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runAttempt(hub, run, n);
    } catch (error) {
      hub.clock.advance(tries * 1000);
      if (tries < MAX_STEP_TRIES) continue;
      hub.log.error({ err: error }, "step failed");
      return { next: "fail", error: internalError, attempt: { outcome: "failed" } };
    }
  }
}

/** Runs a step in a process that dies within it: from a moment on nothing of it reaches the database. */
async function dieInStep(
  hub: TestHub,
  run: { generationId: string; runId: string },
  n: number,
  { isDead = () => true }: Crash,
): Promise<void> {
  const dying = deriveHub(hub, { db: breakDb(hub.db, isDead), publish: () => undefined });
  const step = runAttempt(dying, run, n).catch(() => undefined);
  // A process that waits for a provider dies while it waits.
  await Promise.race([step, until(isDead)]);
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

async function readEnd(hub: TestHub, id: string): Promise<EndedRun> {
  const [end] = await hub.db.query<Omit<EndedRun, "attempts" | "outputs">>(
    `SELECT g.status, g.error, g.estimated_cost AS estimate, g.billed_cost AS billed, $2 - a.balance AS spent, a.reserved
     FROM generation g JOIN account a ON a.id = g.account_id WHERE g.id = $1`,
    [id, CREDIT],
  );
  const attempts = await hub.db.query<EndedRun["attempts"][number]>(
    "SELECT n, route, outcome, cause, cost FROM attempt WHERE generation_id = $1 ORDER BY n",
    [id],
  );
  const outputs = await hub.db.query<EndedRun["outputs"][number]>(
    "SELECT media_type, size FROM file WHERE generation_id = $1 AND stored_at IS NOT NULL ORDER BY index",
    [id],
  );
  return { ...end!, attempts, outputs };
}

/** Returns what the books of a hub violate; nothing if everything adds up. */
export const findViolations = async ({ hub }: ProviderHub) => (await runAudit(hub.db)).violations;
