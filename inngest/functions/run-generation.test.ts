import { expect, test } from "vitest";
import type { Hub } from "../../server/domain/hub";
import { runningHub } from "../../test/engine";
import type { Ctx } from "../../server/context";
import { createAccount } from "../../server/domain/people/create-account";
import { openDb } from "../../server/db/client";
import { runAudit } from "../../server/domain/audit/audit";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import type { Generation } from "../../server/domain/generations/row/generation";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { listStoredGenerations } from "../../server/domain/generations/read/list";
import { listAttempts } from "../../server/domain/generations/read/list-attempts";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { listJobs } from "../embedded/jobs";

const PRICE = 9_200_000n;
const hub = await runningHub({ RUNNING_PER_ACCOUNT: "2" });
let accounts = 0;

async function customer(of: Hub = hub): Promise<Ctx<Hub>> {
  const id = await createAccount(of, { email: `run-${(accounts += 1)}@example.org` });
  await creditAccount(of, id, { amount: 1_000_000_000n });
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  return { ...of, hub: of, account, actor: { kind: "user" }, requestId: "test" };
}

const createImage = async (ctx: Ctx<Hub>, prompt: string) =>
  (await startGeneration(ctx, { model: "sandbox-image", input: { prompt } }, null)).generation;

async function until(ctx: Ctx<Hub>, id: string, status: string): Promise<Generation> {
  await expect
    .poll(async () => (await getStoredGeneration(ctx, id)).status, { timeout: 20_000, interval: 20 })
    .toBe(status);
  return getStoredGeneration(ctx, id);
}
/** Waits until a generation is at its provider; the seconds of `[slow:N]` count from then on. */
const untilSubmitted = (id: string) =>
  expect
    .poll(() => hub.db.query("SELECT FROM attempt WHERE generation_id = $1 AND upstream_id IS NOT NULL", [id]))
    .toHaveLength(1);
const balance = async ({ account }: Ctx<Hub>) =>
  (
    await hub.db.query<{ balance: bigint; reserved: bigint }>("SELECT balance, reserved FROM account WHERE id = $1", [
      account.id,
    ])
  )[0];

test("generates, stores and bills an image", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "a hill");
  const done = await until(ctx, id, "succeeded");
  expect(done).toMatchObject({ billed_cost: PRICE, progress: 1, error: null });
  expect(done.outputs).toMatchObject([{ index: 0, media_type: "image/png" }]);
  expect(await balance(ctx)).toEqual({ balance: 1_000_000_000n - PRICE, reserved: 0n });
  expect(await listAttempts(ctx, id)).toMatchObject([{ n: 1, provider: "sandbox", outcome: "succeeded" }]);
});

test("a permanent failure costs nothing and is attempted once", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[fail] a hill");
  expect(await until(ctx, id, "failed")).toMatchObject({ billed_cost: 0n, error: { retryable: false }, outputs: [] });
  expect(await balance(ctx)).toEqual({ balance: 1_000_000_000n, reserved: 0n });
  expect(await listAttempts(ctx, id)).toMatchObject([{ n: 1, outcome: "failed" }]);
});

test("a temporary failure is retried and billed once", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[flaky] a hill");
  await until(ctx, id, "running");
  hub.clock.advance(1_500);
  expect((await until(ctx, id, "succeeded")).billed_cost).toBe(PRICE);
  expect(await listAttempts(ctx, id)).toMatchObject([
    { n: 1, outcome: "failed" },
    { n: 2, outcome: "succeeded" },
  ]);
});

test("a slow generation completes after its delay", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[slow:1] a hill");
  await expect.poll(async () => (await getStoredGeneration(ctx, id)).status, { interval: 20 }).toBe("succeeded");
});

test("progress never decreases, and reaches 1 only at the end", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[slow:30] a hill");
  await untilSubmitted(id);
  const seen: number[] = [];
  for (let second = 0; second < 40; second += 5) {
    hub.clock.advance(5_000);
    const { progress } = await getStoredGeneration(ctx, id);
    if (progress !== null) seen.push(progress);
  }
  expect((await until(ctx, id, "succeeded")).progress).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("ends a generation at its deadline", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[hang] a hill");
  await until(ctx, id, "running");
  // In small steps: one jump of the clock would count as time without an engine, which extends the deadline.
  const elapse = async () => {
    hub.clock.advance(5_000);
    return (await getStoredGeneration(ctx, id)).status;
  };
  await expect.poll(elapse, { timeout: 20_000, interval: 100 }).toBe("failed");
  expect(await getStoredGeneration(ctx, id)).toMatchObject({ billed_cost: 0n, error: { code: "timeout" } });
  expect((await balance(ctx))!.reserved).toBe(0n);
});

test("queues a third generation while two run, cancels it for free, and runs the fourth next", async () => {
  const ctx = await customer();
  const [a, b] = [await createImage(ctx, "[slow:20] a"), await createImage(ctx, "[slow:20] b")];
  await untilSubmitted(a.id);
  await untilSubmitted(b.id);
  const [c, d] = [await createImage(ctx, "c"), await createImage(ctx, "d")];
  await expect
    .poll(
      async () =>
        (
          await hub.db.query("SELECT FROM generation WHERE id = ANY ($1::uuid[]) AND dispatched_at IS NULL", [
            [c.id, d.id],
          ])
        ).length,
    )
    .toBe(2);
  expect(await cancelStoredGeneration(ctx, c.id)).toMatchObject({
    status: "canceled",
    billed_cost: null,
    started_at: null,
  });
  expect(await cancelStoredGeneration(ctx, c.id)).toMatchObject({ status: "canceled" });
  await expect(cancelStoredGeneration(ctx, a.id)).rejects.toMatchObject({ code: "generation_not_cancelable" });
  hub.clock.advance(21_000);
  for (const { id } of [a, b, d]) await until(ctx, id, "succeeded");
  expect(await balance(ctx)).toEqual({ balance: 1_000_000_000n - 3n * PRICE, reserved: 0n });
  const page = await listStoredGenerations(ctx, { limit: 10 });
  expect(page.total_billed).toBe(3n * PRICE);
  expect((await listStoredGenerations(ctx, { limit: 10, status: "canceled" })).total_billed).toBe(0n);
});

test("fails after three retries of a step, 1, 2 and 4 seconds apart", async () => {
  const ctx = await customer();
  const { storage } = hub;
  const delays = new Set<number>();
  let checks = 0;
  // A step fails with an error that no rule handles; the request itself passes.
  const checkRoom = async () => {
    if ((checks += 1) > 1) throw new Error("unforeseen");
  };
  hub.storage = { ...storage, checkRoom };
  try {
    const { id } = await createImage(ctx, "a hill");
    const elapse = async () => {
      const [retry] = await hub.db.query<{ seconds: number }>(
        `SELECT extract(epoch FROM due_at - scheduled_at)::float8 AS seconds FROM engine.job WHERE state = 'later' AND attempt > 0
           AND run_id = (SELECT run_id::uuid FROM generation WHERE id = $1)`,
        [id],
      );
      if (retry) {
        delays.add(Math.round(retry.seconds));
        hub.clock.advance(retry.seconds * 1000);
      }
      return (await getStoredGeneration(ctx, id)).status;
    };
    await expect.poll(elapse, { timeout: 20_000, interval: 20 }).toBe("failed");
    expect(await getStoredGeneration(ctx, id)).toMatchObject({ billed_cost: 0n, error: { code: "internal_error" } });
  } finally {
    hub.storage = storage;
  }
  expect([...delays]).toEqual([1, 2, 4]);
});

test("run results show how generations ended, and failed generations are no failed runs", async () => {
  const ctx = await customer();
  const secret = "the-words-of-a-customer";
  const good = await createImage(ctx, secret);
  const bad = await createImage(ctx, `[fail] ${secret}`);
  await until(ctx, good.id, "succeeded");
  await until(ctx, bad.id, "failed");
  const runOf = async (id: string) =>
    (
      await hub.db.query<{ status: string; result: Record<string, unknown> | null }>(
        "SELECT r.status, r.result FROM engine.run r JOIN generation g ON g.run_id = r.id::text WHERE g.id = $1",
        [id],
      )
    )[0];
  await expect
    .poll(() => runOf(good.id))
    .toEqual({
      status: "completed",
      result: { id: good.id, status: "succeeded", cost: "0.0092" },
    });
  await expect
    .poll(() => runOf(bad.id))
    .toMatchObject({
      status: "failed",
      result: { name: "GenerationFailed", message: "provider_error" },
    });
  expect(await listJobs(hub.db, { failed: true, limit: 10 })).toEqual([]);
  const stored = await hub.db.query<{ text: string }>(
    `SELECT r::text AS text FROM engine.run r UNION ALL SELECT s::text FROM engine.step_result s UNION ALL SELECT e::text FROM engine.event e`,
  );
  expect(stored.length).toBeGreaterThan(10);
  expect(stored.filter(({ text }) => text.includes(secret) || text.includes(hub.secret))).toEqual([]);
});

test("an outage of the database that outlasts the retries of a step fails nothing: another run takes over", async () => {
  const ctx = await customer();
  const { id } = await createImage(ctx, "[slow:20] a hill");
  await untilSubmitted(id);
  const { db } = hub;
  const away = openDb("postgresql://postgres@127.0.0.1:9/away", 2);
  let refused = 0;
  // All tries of one step find the database unreachable; a step that ended the generation would reach it again.
  const isRefused = (text: string, values: unknown[]) =>
    refused < 4 && values[0] === id && text.includes("g.run_id = $2") && (refused += 1) > 0;
  hub.db = {
    ...db,
    query: (text, values = [], options) => (isRefused(text, values) ? away : db).query(text, values, options),
  };
  try {
    const elapse = async () => {
      hub.clock.advance(1_000);
      return (await getStoredGeneration(ctx, id)).status;
    };
    await expect.poll(elapse, { timeout: 30_000, interval: 50 }).not.toBe("running");
  } finally {
    hub.db = db;
    await away.close();
  }
  expect(refused).toBe(4);
  expect(await getStoredGeneration(ctx, id)).toMatchObject({ status: "succeeded", billed_cost: PRICE, error: null });
  expect(await listAttempts(ctx, id)).toMatchObject([{ n: 1, outcome: "succeeded" }]);
  expect(await listJobs(hub.db, { failed: true, limit: 10 })).toMatchObject([
    { function: "generation-hub-run-generation" },
  ]);
});

test("the audit finds no violation after these generations", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
