import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import type { Hub } from "../../server/domain/hub";
import { createAccount } from "../../server/domain/people/create-account";
import { failTimedOut } from "../../server/domain/generations/run/fail-timed-out";
import { redispatchLapsed } from "../../server/domain/generations/queue/redispatch";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import type { Ctx } from "../../server/context";
import { sandbox } from "../../server/providers/sandbox/sandbox";
import { hubWithEngine, type RunningHub } from "../engine";
import { type LateEngine, openLateEngine } from "./late-engine";

/** Enough to use each prompt at least once. */
const GENERATIONS = 300;
const KILLS = 10;
const LOSSES = 3;
/** Customers that start a generation per second. */
const CUSTOMERS_PER_SECOND = 10;
const PROMPTS = ["a hill", "[slow:5] a hill", "[slow:20] a hill", "[flaky] a hill", "[fail] a hill", "a sea"];
/** Enough that the wait at the end is for claims and jobs, not for slots. */
const SLOTS = "150";
/** How often a process looks for expired claims. */
const SWEEP_INTERVAL_SECONDS = 10;

interface Run {
  engine: LateEngine;
  /** Starts a generation of the next customer. */
  create: () => Promise<void>;
  /** Lets seconds pass, in each of which customers start generations and the engine and the sweeps run. */
  pass: (seconds: number) => Promise<void>;
}

const failures: [name: string, inflict: (run: Run) => Promise<void>][] = [
  ["is killed", ({ engine, create, pass }) => repeat(KILLS, () => create().then(() => engine.killServer()).then(() => pass(3)))],
  ["cannot reach a hub that is killed", ({ engine, create, pass }) => repeat(KILLS, () => create().then(() => engine.killHub()).then(() => pass(3)))],
  [
    "is away for more than five minutes",
    async ({ engine, pass }) => {
      await pass(GENERATIONS / 2);
      await engine.stopServer();
      await pass(324);
      await engine.restartServer();
    },
  ],
  ["forgets everything", ({ engine, pass }) => repeat(LOSSES, () => pass(7).then(() => engine.loseState()))],
]; // prettier-ignore

test.each(failures)(
  "an engine that %s fails no generation and submits none twice",
  async (_, causeFailure) => {
    const hub = await hubWithEngine({ RUNNING_PER_ACCOUNT: SLOTS }, 32);
    const submits = countSubmits(hub);
    const ctx = await openAccount(hub);
    const engine = await openLateEngine(hub);
    const prompts = new Map<string, string>();
    const create = async () => {
      const prompt = PROMPTS[prompts.size % PROMPTS.length]!;
      prompts.set(
        (await startGeneration(ctx, { model: "sandbox-image", input: { prompt } }, null)).generation.id,
        prompt,
      );
    };
    let second = 0;
    const passSecond = async () => {
      second += 1;
      hub.clock.advance(1_000);
      if (second % SWEEP_INTERVAL_SECONDS === 0) {
        await redispatchLapsed(hub);
        await failTimedOut(hub);
      }
      const isIdle = () => engine.isAway() || isEngineIdle(hub);
      await expect.poll(isIdle, { timeout: 30_000, interval: 2 }).toBe(true);
    };
    const pass = (seconds: number) =>
      repeat(seconds, async () => {
        if (prompts.size < GENERATIONS) await repeat(CUSTOMERS_PER_SECOND, create);
        await passSecond();
      });

    await causeFailure({ engine, create, pass });
    while (prompts.size < GENERATIONS) await create();
    let waited = 0;
    for (; (await countUnfinished(hub)) > 0 && waited < 300; waited += 1) await passSecond();

    const failed = await hub.db.query<{ id: string }>(
      "SELECT id, error->>'code' AS code FROM generation WHERE status <> 'succeeded'",
    );
    expect(failed.filter(({ id }) => !prompts.get(id)!.includes("[fail]"))).toEqual([]);
    expect(failed).toHaveLength([...prompts.values()].filter((prompt) => prompt.includes("[fail]")).length);
    expect([...submits].filter(([, count]) => count > 1)).toEqual([]);
    expect(waited).toBeLessThanOrEqual(60);
    expect((await runAudit(hub.db)).violations).toEqual([]);
  },
  600_000,
);

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work();
}

async function openAccount(hub: RunningHub): Promise<Ctx<Hub>> {
  const id = await createAccount(hub, { email: "late@example.org" });
  await creditAccount(hub, id, { amount: 1_000_000_000_000n });
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  return { hub, account, actor: { kind: "user" }, requestId: "test" };
}

/** Counts the sandbox's submits by generation and attempt. */
function countSubmits(hub: RunningHub): Map<string, number> {
  const counts = new Map<string, number>();
  const submit: typeof sandbox.submit = (job, io) => {
    const key = `${job.id} ${job.attempt}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return sandbox.submit(job, io);
  };
  hub.providers = { ...hub.providers, sandbox: { ...sandbox, submit } };
  return counts;
}

const isEngineIdle = async (hub: RunningHub): Promise<boolean> => {
  const [row] = await hub.db.query<{ idle: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM engine.event) AND NOT EXISTS (
       SELECT FROM engine.job WHERE state <> 'later' OR due_at <= $1) AS idle`,
    [hub.now()],
  );
  return row!.idle;
};

async function countUnfinished(hub: RunningHub): Promise<number> {
  const [row] = await hub.db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM generation WHERE status IN ('queued', 'running')",
  );
  return row!.count;
}
