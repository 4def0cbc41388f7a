import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { revokeToken } from "../../server/domain/workers/worker";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { pullBackTimes } from "../../server/domain/generations/run/pull-back-times";
import { requeueExpiredLeases } from "../../server/domain/generations/run/requeue";
import { newId } from "../../server/lib/id";
import { callApi, type Reply } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { addGpuModels, ESTIMATE, euros, newWorker, type TestWorker } from "./test-workers";
import { testOperator } from "../operator";

const host = await openOwnHost({ LOG_LEVEL: "error" });
const { hub } = host;
addGpuModels(hub);

let customer: Customer;
let worker: TestWorker;
beforeAll(async () => {
  customer = await newCustomer(hub, { credit: 1_000 });
  worker = await newWorker(hub);
});

// An earlier failed test must not leave jobs in the queue.
afterEach(async () => {
  const left = await hub.db.query<{ id: string }>("SELECT id FROM generation WHERE settled_at IS NULL");
  for (const { id } of left) await finishGeneration(hub, { id, from: ["queued", "running"], to: "canceled" });
});

const JOBS = "/api/v1/hub/generations";
const queue = async (input: Record<string, unknown> = {}, by = customer) =>
  (await callApi(host, "POST", JOBS, { key: by.key, body: { model: "gpu-a", input } })).body as { id: string };
const read = async (id: string) => (await callApi(host, "GET", `${JOBS}/${id}`, { key: customer.key })).body;
const cancel = (id: string) => callApi(host, "POST", `${JOBS}/${id}/cancel`, { key: customer.key });
const attempts = async (id: string) =>
  (
    (await callApi(host, "GET", `${JOBS}/${id}/attempts`, { key: customer.key })).body.data as { outcome: string }[]
  ).map(({ outcome }) => outcome);

interface Claimed {
  lease: { id: string; fence: number; expires_at: string };
  generation: { id: string; model: string; input: Record<string, unknown>; checkpoint: unknown };
}
const post = (path: string, body: unknown, key = worker.token) =>
  callApi(host, "POST", `/api/v1/worker/${path}`, { key, body });
async function claim(models = ["gpu-a"]): Promise<Claimed> {
  const reply = await post("claim", { models });
  expect(reply.status).toBe(200);
  return reply.body as unknown as Claimed;
}
const onLease = ({ lease }: Claimed, verb: string, body: object) =>
  post(`leases/${lease.id}/${verb}`, { fence: lease.fence, ...body });
const put = ({ lease }: Claimed, index: number | string, content: string, type = "text/plain", fence = lease.fence) =>
  callApi(host, "PUT", `/api/v1/worker/leases/${lease.id}/outputs/${index}?fence=${fence}`, {
    key: worker.token,
    body: content,
    headers: { "content-type": type },
  });
const codeOf = ({ status, body }: Reply) => [status, body?.code];
const LOST = [409, "lease_lost"];

test("passes a job from the customer to a worker and its outputs back", async () => {
  const made = await callApi(host, "POST", JOBS, { key: customer.key, body: { model: "gpu-a", input: { note: "x" } } });
  expect(made.body).toMatchObject({ status: "queued", provider: "worker", estimated_cost: ESTIMATE, progress: null });
  const job = await claim();
  expect(job).toEqual({
    lease: { id: expect.any(String) as string, fence: 1, expires_at: expect.any(String) as string },
    generation: { id: made.body.id, model: "gpu-a", input: { caption: "x" }, checkpoint: null },
  });
  expect(await read(job.generation.id)).toMatchObject({ status: "running", started_at: expect.any(String) as string });

  hub.clock.advance(10_000);
  expect((await onLease(job, "heartbeat", {})).status).toBe(200);
  expect(await read(job.generation.id)).toMatchObject({ progress: null });
  expect((await onLease(job, "heartbeat", { progress: 0.5, gpu_ms: 4_000 })).body).toMatchObject({ cancel: false });
  expect((await onLease(job, "heartbeat", { progress: 0.2 })).status).toBe(200);
  expect(await read(job.generation.id)).toMatchObject({ progress: 0.5, billed_cost: null, outputs: [] });

  expect((await put(job, 0, "weights", "application/octet-stream")).body).toEqual({ index: 0, size: 7 });
  expect((await put(job, 1, "log")).status).toBe(201);
  expect(await read(job.generation.id)).toMatchObject({ outputs: [] });
  expect((await onLease(job, "complete", { gpu_ms: 5_001 })).body).toEqual({ status: "succeeded" });

  const done = await read(job.generation.id);
  expect(done).toMatchObject({ status: "succeeded", progress: 1, billed_cost: 0.0040008 });
  const [weights] = done.outputs as { url: string; media_type: string }[];
  expect(weights).toMatchObject({ index: 0, media_type: "application/octet-stream", size: 7 });
  const content = await callApi(host, "GET", new URL(weights!.url).pathname, { key: customer.key });
  expect(content.bytes.toString()).toBe("weights");
  expect(await attempts(job.generation.id)).toEqual(["succeeded"]);
  // A repetition has the same result.
  expect((await onLease(job, "complete", { gpu_ms: 9_000 })).body).toEqual({ status: "succeeded" });
  expect(await read(job.generation.id)).toEqual(done);
});

test("stores progress that a `real` cannot tell from 0 as 0", async () => {
  const { id } = await queue();
  const job = await claim();
  expect((await onLease(job, "heartbeat", { progress: Number.MIN_VALUE })).status).toBe(200);
  expect(await read(id)).toMatchObject({ progress: 0 });
});

test("responds with 204 to a claim with an empty queue or other models", async () => {
  const { id } = await queue();
  expect((await post("claim", { models: ["gpu-b", "nothing"] })).status).toBe(204);
  expect((await claim()).generation.id).toBe(id);
});

describe("an expired lease", () => {
  const expireLease = () => hub.clock.advance(61_000);

  test("passes the job to the next worker with its checkpoint, and the old worker can change nothing", async () => {
    const { id } = await queue();
    const old = await claim();
    const started = (await read(id)).started_at;
    await onLease(old, "heartbeat", { progress: 0.6, checkpoint: { step: 7 } });
    await put(old, 0, "old");
    expireLease();
    const renewed = await claim();
    expect(renewed.lease.fence).toBe(2);
    expect(renewed.generation).toMatchObject({ id, checkpoint: { step: 7 } });
    expect(renewed.lease.id).not.toBe(old.lease.id);

    const before = await read(id);
    expect(before).toMatchObject({ status: "running", started_at: started, progress: 0.6 });
    expect(codeOf(await onLease(old, "heartbeat", { progress: 0.9, gpu_ms: 1 }))).toEqual(LOST);
    expect(codeOf(await put(old, 0, "late"))).toEqual(LOST);
    expect(codeOf(await onLease(old, "complete", { gpu_ms: 1 }))).toEqual(LOST);
    const failure = { gpu_ms: 1, code: "oom", message: "No.", retryable: false };
    expect(codeOf(await onLease(old, "fail", failure))).toEqual(LOST);
    // Not with the newer fence either.
    expect(codeOf(await post(`leases/${old.lease.id}/complete`, { fence: 2, gpu_ms: 1 }))).toEqual(LOST);
    expect(await read(id)).toEqual(before);

    await put(renewed, 0, "new");
    expect((await onLease(renewed, "complete", { gpu_ms: 0 })).status).toBe(200);
    const [output] = (await read(id)).outputs as { url: string }[];
    const content = await callApi(host, "GET", new URL(output!.url).pathname, { key: customer.key });
    expect(content.bytes.toString()).toBe("new");
    expect(await attempts(id)).toEqual(["lost", "succeeded"]);
  });

  test("is rejected even if no worker has claimed the job again", async () => {
    const { id } = await queue();
    const job = await claim();
    expireLease();
    expect(codeOf(await onLease(job, "complete", { gpu_ms: 1 }))).toEqual(LOST);
    expect(codeOf(await onLease(job, "heartbeat", {}))).toEqual(LOST);
    expect((await cancel(id)).status).toBe(200);
  });

  test("returns the job to the queue three times, then fails it and releases the hold", async () => {
    const poor = await newCustomer(hub, { credit: 2 });
    const { id } = await queue({}, poor);
    for (let fence = 1; fence <= 4; fence += 1) {
      expect((await claim()).lease.fence).toBe(fence);
      expireLease();
      await requeueExpiredLeases(hub);
      const [row] = await hub.db.query("SELECT status FROM generation WHERE id = $1", [id]);
      expect(row).toEqual({ status: fence < 4 ? "queued" : "failed" });
    }
    const me = await callApi(host, "GET", "/api/v1/me", { key: poor.key });
    expect(me.body).toMatchObject({ balance: 2, available: 2 });
    const seen = await callApi(host, "GET", `${JOBS}/${id}`, { key: poor.key });
    expect(seen.body).toMatchObject({ billed_cost: 0, error: { code: "provider_error", retryable: true } });
  });

  test("fails the job with a timeout after its deadline", async () => {
    const { id } = await queue();
    const job = await claim();
    for (let minute = 0; minute < 31; minute += 1) {
      await onLease(job, "heartbeat", {});
      hub.clock.advance(58_500);
    }
    await requeueExpiredLeases(hub);
    expect(await read(id)).toMatchObject({ status: "failed", billed_cost: 0, error: { code: "timeout" } });
  });
});

describe("failure", () => {
  const failure = { gpu_ms: 500, code: "oom", message: "Out of memory.", retryable: false };

  test("that is permanent is not billed, and has a code of the API", async () => {
    const { id } = await queue();
    const job = await claim();
    await put(job, 0, "half");
    expect((await onLease(job, "fail", failure)).body).toEqual({ status: "failed" });
    expect(await read(id)).toMatchObject({
      status: "failed",
      billed_cost: 0,
      outputs: [],
      error: { code: "provider_error", message: "Out of memory.", retryable: false },
    });
    expect((await onLease(job, "fail", failure)).body).toEqual({ status: "failed" });
  });

  test("that is retryable returns the job to the queue three times", async () => {
    const { id } = await queue();
    for (let fence = 1; fence <= 4; fence += 1) {
      const job = await claim();
      expect(job.lease.fence).toBe(fence);
      const body = { ...failure, code: "input_unavailable", retryable: true };
      expect((await onLease(job, "fail", body)).body).toEqual({ status: fence < 4 ? "queued" : "failed" });
    }
    expect(await read(id)).toMatchObject({ status: "failed", error: { code: "input_unavailable" } });
    expect(await attempts(id)).toEqual(["failed", "failed", "failed", "failed"]);
  });
});

describe("GPU time", () => {
  test("never exceeds the elapsed time or the estimate, and never decreases", async () => {
    const { id } = await queue();
    const job = await claim();
    hub.clock.advance(2_000);
    await onLease(job, "heartbeat", { gpu_ms: 1_500 });
    await onLease(job, "heartbeat", { gpu_ms: 3 });
    await onLease(job, "complete", { gpu_ms: 1 });
    expect(await read(id)).toMatchObject({ billed_cost: 0.0012 });

    onTestFinished(hub.clock.freeze());
    const maliciousWorker = await queue();
    const falseReport = await claim();
    hub.clock.advance(1_000);
    await onLease(falseReport, "heartbeat", { gpu_ms: Number.MAX_SAFE_INTEGER });
    await onLease(falseReport, "complete", { gpu_ms: Number.MAX_SAFE_INTEGER });
    expect(await read(maliciousWorker.id)).toMatchObject({ billed_cost: euros(1) });
  });

  test("counts the time of all leases", async () => {
    const { id } = await queue();
    for (const gpu_ms of [3_000, 2_000]) {
      const job = await claim();
      hub.clock.advance(5_000);
      await onLease(job, "heartbeat", { gpu_ms });
      hub.clock.advance(61_000);
      await requeueExpiredLeases(hub);
    }
    await claim().then((job) => {
      hub.clock.advance(1_000);
      return onLease(job, "complete", { gpu_ms: 1_000 });
    });
    expect(await read(id)).toMatchObject({ billed_cost: 0.0048 });
  });
});

describe("GPU time after the clock was set back", () => {
  const SET_BACK_MS = 3_600_000;
  // The rate limits of an account fill up again only after the clock has caught up.
  beforeEach(async () => {
    customer = await newCustomer(hub, { credit: 1_000 });
    onTestFinished(hub.clock.freeze());
  });

  const work = (seconds: number) => hub.clock.advance(seconds * 1_000);
  const setBack = (ms = SET_BACK_MS) => {
    hub.clock.advance(-ms);
    onTestFinished(() => hub.clock.advance(ms));
  };
  const heartbeat = async (job: Claimed, report: object = {}) =>
    expect((await onLease(job, "heartbeat", report)).status).toBe(200);
  /** Works for 30 seconds up to a heartbeat. */
  async function workBefore(report: object = {}): Promise<Claimed> {
    await queue();
    const job = await claim();
    work(30);
    await heartbeat(job, report);
    return job;
  }
  const complete = (job: Claimed, seconds: number) => onLease(job, "complete", { gpu_ms: seconds * 1_000 });
  async function expectBilled({ generation: { id } }: Claimed, seconds: number) {
    expect(await read(id)).toMatchObject({ billed_cost: euros(seconds) });
    expect((await runAudit(hub.db)).violations).toEqual([]);
  }

  test.each([
    ["the sweep", () => pullBackTimes(hub)],
    ["a heartbeat", (job: Claimed) => heartbeat(job)],
    ["a heartbeat with GPU time", (job: Claimed) => heartbeat(job, { gpu_ms: 30_000 })],
    ["a heartbeat and the sweep", (job: Claimed) => heartbeat(job).then(() => pullBackTimes(hub))],
    ["the sweep and a heartbeat", (job: Claimed) => pullBackTimes(hub).then(() => heartbeat(job))],
    ["two heartbeats at once", (job: Claimed) => Promise.all([heartbeat(job), heartbeat(job)])],
  ])("is billed once, before and after %s", async (_, correct) => {
    for (const report of [{}, { gpu_ms: 30_000 }]) {
      const job = await workBefore(report);
      setBack();
      await correct(job);
      work(40);
      await heartbeat(job);
      await pullBackTimes(hub);
      expect((await complete(job, 1e6)).status).toBe(200);
      await expectBilled(job, 70);
    }
  });

  test("is billed up to the last heartbeat if the job completes first", async () => {
    const completed = await workBefore();
    setBack();
    expect((await complete(completed, 70)).status).toBe(200);
    await expectBilled(completed, 30);
  });

  test("is billed with the time since if the job is canceled", async () => {
    const job = await workBefore({ gpu_ms: 25_000 });
    setBack();
    await pullBackTimes(hub);
    work(40);
    expect((await cancel(job.generation.id)).status).toBe(200);
    await expectBilled(job, 65);
  });

  test("counts on under the next lease if the worker was lost", async () => {
    const lost = await workBefore({ gpu_ms: 30_000 });
    setBack();
    await pullBackTimes(hub);
    work(61);
    const next = await claim();
    expect(next).toMatchObject({ lease: { fence: 2 }, generation: { id: lost.generation.id } });
    work(10);
    await complete(next, 10);
    await expectBilled(next, 40);
  });

  test("does not grow by clocks of processes that differ by ten seconds", async () => {
    const job = await workBefore({ gpu_ms: 30_000 });
    for (let round = 0; round < 3; round += 1) {
      hub.clock.advance(-10_000);
      await heartbeat(job, { gpu_ms: 1e6 });
      await pullBackTimes(hub);
      hub.clock.advance(10_000);
      await heartbeat(job, { gpu_ms: 1e6 });
    }
    expect((await cancel(job.generation.id)).status).toBe(200);
    await expectBilled(job, 30);
  });
});

describe("cancellation", () => {
  test("before the first lease bills nothing", async () => {
    const { id } = await queue();
    expect((await cancel(id)).body).toMatchObject({ status: "canceled", billed_cost: null, started_at: null });
    expect((await post("claim", { models: ["gpu-a"] })).status).toBe(204);
  });

  test("under a lease bills the last report and the time since, and the worker is notified", async () => {
    onTestFinished(hub.clock.freeze());
    const { id } = await queue();
    const job = await claim();
    hub.clock.advance(20_000);
    await onLease(job, "heartbeat", { gpu_ms: 10_000 });
    hub.clock.advance(5_000);
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "canceled", billed_cost: euros(15) });
    expect((await cancel(id)).body).toEqual(body);
    expect((await onLease(job, "heartbeat", { gpu_ms: 26_000 })).body).toMatchObject({ cancel: true });
    expect(codeOf(await onLease(job, "complete", { gpu_ms: 26_000 }))).toEqual(LOST);
    expect(codeOf(await put(job, 0, "x"))).toEqual(LOST);
    expect(await read(id)).toEqual(body);
    expect(await attempts(id)).toEqual(["canceled"]);
  });

  test("bills at most the estimate", async () => {
    const { id } = await queue();
    const job = await claim();
    for (let heartbeat = 0; heartbeat < 30; heartbeat += 1) {
      hub.clock.advance(59_000);
      await onLease(job, "heartbeat", { gpu_ms: 1e9 });
    }
    hub.clock.advance(59_000);
    expect((await cancel(id)).body).toMatchObject({ billed_cost: ESTIMATE });
  });

  test("after the worker was lost bills nothing beyond the end of its lease", async () => {
    const { id } = await queue();
    await claim();
    hub.clock.advance(1_000_000);
    const { body } = await cancel(id);
    expect(body.billed_cost).toBe(euros(60));
  });

  test("between two workers bills the time of the earlier ones", async () => {
    const { id } = await queue();
    const job = await claim();
    hub.clock.advance(10_000);
    await onLease(job, "heartbeat", { gpu_ms: 7_000 });
    hub.clock.advance(61_000);
    await requeueExpiredLeases(hub);
    expect(await read(id)).toMatchObject({ status: "queued", started_at: expect.any(String) as string });
    expect((await cancel(id)).body).toMatchObject({ status: "canceled", billed_cost: euros(7) });
  });
});

describe("a worker sees", () => {
  test("only its own leases", async () => {
    await queue();
    const job = await claim();
    const other = await newWorker(hub);
    const body = { fence: 1, gpu_ms: 1 };
    const canceledInfo = ({ status, body }: Reply) => ({ status, ...body, instance: undefined });
    const otherWorkersLease = await post(`leases/${job.lease.id}/complete`, body, other.token);
    expect(codeOf(otherWorkersLease)).toEqual([404, "resource_not_found"]);
    expect(canceledInfo(await post(`leases/${newId()}/complete`, body, other.token))).toEqual(
      canceledInfo(otherWorkersLease),
    );
    expect(canceledInfo(await post("leases/none-at-all/complete", body, other.token))).toEqual(
      canceledInfo(otherWorkersLease),
    );
    await onLease(job, "complete", { gpu_ms: 0 });
  });

  test("nothing about customers, who see nothing about workers", async () => {
    for (const path of ["/api/v1/me", JOBS, "/api/v1/hub/models"]) {
      expect((await callApi(host, "GET", path, { key: worker.token })).status).toBe(401);
    }
    expect((await post("claim", { models: ["gpu-a"] }, customer.key)).status).toBe(401);
  });

  test("nothing once its token is revoked", async () => {
    const revokedWorker = await newWorker(hub);
    expect((await post("claim", { models: ["gpu-a"] }, revokedWorker.token)).status).toBe(204);
    await revokeToken(hub, testOperator, revokedWorker.name);
    expect((await post("claim", { models: ["gpu-a"] }, revokedWorker.token)).status).toBe(401);
  });
});

describe("rejects with its location", () => {
  test.each([
    [{}, "models"],
    [{ models: [] }, "models"],
    [{ models: ["gpu-a"], wait_seconds: 31 }, "wait_seconds"],
    [{ models: ["gpu-a"], wait_seconds: -1 }, "wait_seconds"],
    [{ models: [7] }, "models.0"],
    [{ models: Array.from({ length: 101 }, (_, n) => `m${n}`) }, "models"],
    [{ models: ["gpu-a"], colour: "red" }, "colour"],
  ])("a claim of %j", async (body, location) => {
    const reply = await post("claim", body);
    expect(codeOf(reply)).toEqual([400, "invalid_input"]);
    expect(reply.body.errors).toHaveProperty([location]);
  });

  test("a report that a lease does not accept", async () => {
    await queue();
    const job = await claim();
    const placesOf = ({ status, body }: Reply) => [status, Object.keys(body.errors as object)];
    expect(placesOf(await onLease(job, "heartbeat", { progress: 1.1 }))).toEqual([400, ["progress"]]);
    expect(placesOf(await onLease(job, "heartbeat", { gpu_ms: -1 }))).toEqual([400, ["gpu_ms"]]);
    expect(placesOf(await onLease(job, "heartbeat", { gpu_ms: 0.5 }))).toEqual([400, ["gpu_ms"]]);
    const large = { checkpoint: "x".repeat(64 * 1024) };
    expect(placesOf(await onLease(job, "heartbeat", large))).toEqual([400, ["checkpoint"]]);
    expect(placesOf(await post(`leases/${job.lease.id}/complete`, { gpu_ms: 1 }))).toEqual([400, ["fence"]]);
    expect(placesOf(await put(job, 100, "x"))).toEqual([400, ["index"]]);
    expect(placesOf(await put(job, "a", "x"))).toEqual([400, ["index"]]);
    expect(placesOf(await put(job, 0, "x", "nonsense"))).toEqual([400, ["Content-Type"]]);
    await put(job, 1, "x");
    expect(placesOf(await onLease(job, "complete", { gpu_ms: 1 }))).toEqual([400, ["outputs.0"]]);
    await put(job, 0, "x");
    expect((await onLease(job, "complete", { gpu_ms: 1 })).status).toBe(200);
  });
});

test("the audit finds no violation after these jobs", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
