import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Account, Ctx } from "../../server/context";
import type { Hub } from "../../server/domain/hub";
import { isAppError } from "../../server/errors";
import { runAudit } from "../../server/domain/audit/audit";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { waitForJob } from "../../server/domain/workers/claim-job";
import { completeJob } from "../../server/domain/workers/complete-job";
import { failJob } from "../../server/domain/workers/fail-job";
import { recordHeartbeat } from "../../server/domain/workers/lease";
import { requeueExpiredLeases } from "../../server/domain/generations/run/requeue";
import { leaseNextJob, type LeasedJob } from "../../server/domain/generations/run/lease";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { seed, soakCount } from "../soak";
import { addGpuModels, newWorker, PRICE } from "./test-workers";

vi.setConfig({ testTimeout: soakCount(120_000, 1_200_000) });

const SLOTS = 3;
const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
addGpuModels(hub);
const worker = await newWorker(hub);

async function customer(): Promise<Ctx<Hub>> {
  const { account } = await newCustomer(hub, { credit: 1_000_000 });
  return { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
}
const ctx = await customer();
const queue = async (by = ctx, model = "gpu-a") =>
  (await startGeneration(by, { model, input: {} }, null)).generation.id;
/** The expected errors of callers; the test fails on any other error. */
const ignoreExpected = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return error.code;
  });
const accountOf = async ({ account }: Ctx<Hub>) =>
  (await hub.db.query("SELECT reserved, running FROM account WHERE id = $1", [account.id]))[0];

test("a cancellation concurrent with start, heartbeat and success leaves one final state and one settlement each", async () => {
  for (let round = 0; round < soakCount(20, 1_000); round += 1) {
    const [a, b] = [await queue(), await queue()];
    // The first already runs; the second is being claimed.
    const running = (await leaseNextJob(hub, worker, ["gpu-a"]))!;
    expect(running.id).toBe(a);
    hub.clock.advance(1_000);
    const report = { fence: 1, gpu_ms: 900 };
    const second = leaseNextJob(hub, worker, ["gpu-a"]);
    await Promise.all([
      ignoreExpected(cancelStoredGeneration(ctx, a)),
      ignoreExpected(recordHeartbeat(hub, worker, running.lease_id, { ...report, progress: 0.5 })),
      ignoreExpected(completeJob(hub, worker, running.lease_id, report)),
      ignoreExpected(cancelStoredGeneration(ctx, b)),
      ignoreExpected(cancelStoredGeneration(ctx, b)),
      second.then((leased) => leased && ignoreExpected(completeJob(hub, worker, leased.lease_id, report))),
    ]);
    for (const id of [a, b]) {
      const { status, billed_cost } = await getStoredGeneration(ctx, id);
      expect(["succeeded", "canceled"]).toContain(status);
      expect(billed_cost ?? 0n).toBeLessThan(BigInt(Math.round(PRICE * 1e9 * 10)));
    }
    expect(await accountOf(ctx)).toEqual({ reserved: 0n, running: 0 });
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const step = fc.oneof(
  fc.constant({ do: "queue" as const }),
  fc.constant({ do: "claim" as const }),
  fc.constant({ do: "requeue" as const }),
  fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 0, max: 50_000 }) }),
  fc.record({
    do: fc.constantFrom("heartbeat" as const, "complete" as const, "fail" as const, "retry" as const),
    lease: fc.nat({ max: 20 }),
    gpu_ms: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  }),
  fc.record({ do: fc.constant("cancel" as const), job: fc.nat({ max: 20 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type OnLease = Extract<Step, { lease: number }>;

async function onLease(leases: LeasedJob[], step: OnLease): Promise<unknown> {
  const lease = leases[step.lease % Math.max(leases.length, 1)];
  if (!lease) return;
  const { lease_id, fence } = lease;
  const report = { fence, gpu_ms: step.gpu_ms };
  if (step.do === "heartbeat") return ignoreExpected(recordHeartbeat(hub, worker, lease_id, report));
  if (step.do === "complete") return ignoreExpected(completeJob(hub, worker, lease_id, report));
  const retryable = step.do === "retry";
  return ignoreExpected(failJob(hub, worker, lease_id, { ...report, code: "oom", message: "-", retryable }));
}

async function run(by: Ctx<Hub>, jobs: string[], leases: LeasedJob[], step: Step): Promise<unknown> {
  if ("lease" in step) return onLease(leases, step);
  switch (step.do) {
    case "queue":
      return queue(by).then((id) => jobs.push(id));
    case "claim":
      return leaseNextJob(hub, worker, ["gpu-a"]).then((leased) => leased && leases.push(leased));
    case "requeue":
      return requeueExpiredLeases(hub);
    case "advance":
      return hub.clock.advance(step.ms);
    case "cancel":
      return jobs.length > 0 && ignoreExpected(cancelStoredGeneration(by, jobs[step.job % jobs.length]!));
  }
}

test.each([
  [
    "one after the other",
    async (works: (() => Promise<unknown>)[]) => {
      for (const work of works) await work();
    },
  ],
  ["at once", (works: (() => Promise<unknown>)[]) => Promise.all(works.map((work) => work()))],
])("the audit finds no violation after random events %s", async (_, all) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const by = await customer();
      const jobs: string[] = [];
      const leases: LeasedJob[] = [];
      for (let n = 0; n < 4; n += 1) await run(by, jobs, leases, { do: n < 3 ? "queue" : "claim" });
      await all(steps.map((one) => () => run(by, jobs, leases, one)));
      await Promise.all(jobs.map((id) => ignoreExpected(cancelStoredGeneration(by, id))));
      expect(await accountOf(by)).toEqual({ reserved: 0n, running: 0 });
    }),
    { seed, numRuns: soakCount(8, 300) },
  );
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("serves accounts in turn, and each gets at most its slots", async () => {
  const [busyAccount, small] = [await customer(), await customer()];
  for (let n = 0; n < 6; n += 1) await queue(busyAccount);
  for (let n = 0; n < 2; n += 1) await queue(small);
  const served: number[] = [];
  const leases: LeasedJob[] = [];
  for (
    let leased = await leaseNextJob(hub, worker, ["gpu-a"]);
    leased;
    leased = await leaseNextJob(hub, worker, ["gpu-a"])
  ) {
    served.push(leased.account_id);
    leases.push(leased);
  }
  const [a, b] = [busyAccount.account.id, small.account.id];
  expect(served).toEqual([a, b, a, b, a]);
  await failJob(hub, worker, leases[0]!.lease_id, { fence: 1, gpu_ms: 0, code: "x", message: "-", retryable: false });
  expect((await leaseNextJob(hub, worker, ["gpu-a"]))!.account_id).toBe(a);
  expect(await leaseNextJob(hub, worker, ["gpu-a"])).toBeNull();
});

test("concurrent claims never lease one job twice, and leave no job behind", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, customer));
  for (const by of accounts) for (let n = 0; n < SLOTS; n += 1) await queue(by, "gpu-b");
  const leased = await Promise.all(
    Array.from({ length: 20 }, () => waitForJob(hub, worker, { models: ["gpu-b"], waitMs: 2_000 })),
  );
  const ids = leased.flatMap((one) => (one ? [one.id] : []));
  expect(new Set(ids).size).toBe(accounts.length * SLOTS);
  expect(ids).toHaveLength(accounts.length * SLOTS);
});
