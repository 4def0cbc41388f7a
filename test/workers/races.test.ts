import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Account, Ctx } from "../../server/context";
import { isAppError } from "../../server/errors";
import { runAudit } from "../../server/domain/audit/audit";
import { cancelStoredGeneration } from "../../server/domain/generations/cancel";
import { getStoredGeneration } from "../../server/domain/generations/get";
import { startGeneration } from "../../server/domain/generations/start";
import { waitForJob } from "../../server/domain/workers/wait-for-job";
import { completeJob } from "../../server/domain/workers/complete-job";
import { failJob } from "../../server/domain/workers/fail-job";
import { recordHeartbeat } from "../../server/domain/workers/heartbeat";
import { requeueExpiredLeases } from "../../server/domain/generations/requeue";
import { leaseNextJob, type LeasedJob } from "../../server/domain/generations/lease";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { seed, times } from "../soak";
import { addGpuModels, newWorker, PRICE } from "./test-workers";

vi.setConfig({ testTimeout: times(30_000, 1_200_000) });

const SLOTS = 3;
const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
addGpuModels(hub);
const worker = await newWorker(hub);

async function customer(): Promise<Ctx> {
  const { account } = await newCustomer(hub, { credit: 1_000_000 });
  return { hub, account: { id: account } as Account, actor: { kind: "user" }, requestId: "test" };
}
const ctx = await customer();
const queue = async (by = ctx, model = "gpu-a") =>
  (await startGeneration(by, { model, input: {} }, null)).generation.id;
/** What a caller may be told; anything else is a fault. */
const calm = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return error.code;
  });
const accountOf = async ({ account }: Ctx) =>
  (await hub.db.query("SELECT reserved, running FROM account WHERE id = $1", [account.id]))[0];

test("a cancellation races start, heartbeat and success: one final state and one settlement each", async () => {
  for (let round = 0; round < times(60, 1_000); round += 1) {
    const [a, b] = [await queue(), await queue()];
    // The first runs already; the second is taken at this very moment.
    const running = (await leaseNextJob(hub, worker, ["gpu-a"]))!;
    expect(running.id).toBe(a);
    hub.clock.advance(1_000);
    const report = { fence: 1, gpu_ms: 900 };
    const second = leaseNextJob(hub, worker, ["gpu-a"]);
    await Promise.all([
      calm(cancelStoredGeneration(ctx, a)),
      calm(recordHeartbeat(hub, worker, running.lease_id, { ...report, progress: 0.5 })),
      calm(completeJob(hub, worker, running.lease_id, report)),
      calm(cancelStoredGeneration(ctx, b)),
      calm(cancelStoredGeneration(ctx, b)),
      second.then((taken) => taken && calm(completeJob(hub, worker, taken.lease_id, report))),
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
  if (step.do === "heartbeat") return calm(recordHeartbeat(hub, worker, lease_id, report));
  if (step.do === "complete") return calm(completeJob(hub, worker, lease_id, report));
  const retryable = step.do === "retry";
  return calm(failJob(hub, worker, lease_id, { ...report, code: "oom", message: "-", retryable }));
}

async function run(by: Ctx, jobs: string[], leases: LeasedJob[], step: Step): Promise<unknown> {
  if ("lease" in step) return onLease(leases, step);
  switch (step.do) {
    case "queue":
      return queue(by).then((id) => jobs.push(id));
    case "claim":
      return leaseNextJob(hub, worker, ["gpu-a"]).then((taken) => taken && leases.push(taken));
    case "requeue":
      return requeueExpiredLeases(hub);
    case "advance":
      return hub.clock.advance(step.ms);
    case "cancel":
      return jobs.length > 0 && calm(cancelStoredGeneration(by, jobs[step.job % jobs.length]!));
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
])("whatever happens %s, every promise of the audit holds", async (_, all) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const by = await customer();
      const jobs: string[] = [];
      const leases: LeasedJob[] = [];
      for (let n = 0; n < 4; n += 1) await run(by, jobs, leases, { do: n < 3 ? "queue" : "claim" });
      await all(steps.map((one) => () => run(by, jobs, leases, one)));
      await Promise.all(jobs.map((id) => calm(cancelStoredGeneration(by, id))));
      expect(await accountOf(by)).toEqual({ reserved: 0n, running: 0 });
    }),
    { seed, numRuns: times(15, 300) },
  );
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("accounts take turns, and an account has no more than its slots", async () => {
  const [flood, small] = [await customer(), await customer()];
  for (let n = 0; n < 6; n += 1) await queue(flood);
  for (let n = 0; n < 2; n += 1) await queue(small);
  const served: number[] = [];
  const leases: LeasedJob[] = [];
  for (
    let taken = await leaseNextJob(hub, worker, ["gpu-a"]);
    taken;
    taken = await leaseNextJob(hub, worker, ["gpu-a"])
  ) {
    served.push(taken.account_id);
    leases.push(taken);
  }
  const [a, b] = [flood.account.id, small.account.id];
  expect(served).toEqual([a, b, a, b, a]);
  await failJob(hub, worker, leases[0]!.lease_id, { fence: 1, gpu_ms: 0, code: "x", message: "-", retryable: false });
  expect((await leaseNextJob(hub, worker, ["gpu-a"]))!.account_id).toBe(a);
  expect(await leaseNextJob(hub, worker, ["gpu-a"])).toBeNull();
});

test("many claims at once never take one job twice, nor leave one behind", async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, customer));
  for (const by of accounts) for (let n = 0; n < SLOTS; n += 1) await queue(by, "gpu-b");
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => waitForJob(hub, worker, { models: ["gpu-b"], waitMs: 2_000 })),
  );
  const ids = taken.flatMap((one) => (one ? [one.id] : []));
  expect(new Set(ids).size).toBe(accounts.length * SLOTS);
  expect(ids).toHaveLength(accounts.length * SLOTS);
});
