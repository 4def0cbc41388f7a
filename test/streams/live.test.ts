import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { purgeLive, reportLive } from "../../server/domain/generations/live";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { makePng } from "../media/png";
import { addGpuModels, newWorker, type TestWorker } from "../workers/test-workers";
import { openStream } from "./event-reader";

const host = await openOwnHost({ LOG_LEVEL: "error" });
const { hub } = host;
addGpuModels(hub);

let customer: Customer;
let worker: TestWorker;
beforeAll(async () => {
  customer = await newCustomer(hub, { credit: 1_000 });
  worker = await newWorker(hub);
});

const PATH = "/api/v1/hub/generations";
const get = (path: string, by = customer) => callApi(host, "GET", `${PATH}/${path}`, by);
const follow = (id: string, options: { lastEventId?: string; signal?: AbortSignal } = {}) =>
  openStream(host, `${PATH}/${id}/events`, { ...customer, ...options });
const send = (path: string, body: unknown) =>
  callApi(host, "POST", `/api/v1/worker/${path}`, { key: worker.token, body });

/** Starts a job that a worker has claimed. */
async function startJob() {
  await callApi(host, "POST", PATH, { key: customer.key, body: { model: "gpu-a", input: {} } });
  const { lease, generation } = (await send("claim", { models: ["gpu-a"] })).body as {
    lease: { id: string; fence: number };
    generation: { id: string };
  };
  const report = (body: object, verb = "heartbeat") => {
    // Each report is a second after the one before.
    hub.clock.advance(1_001);
    return send(`leases/${lease.id}/${verb}`, { fence: lease.fence, ...body });
  };
  const put = (index: number, content: string) =>
    callApi(host, "PUT", `/api/v1/worker/leases/${lease.id}/outputs/${index}?fence=${lease.fence}`, {
      key: worker.token,
      body: content,
      headers: { "content-type": "text/plain" },
    });
  return { id: generation.id, fence: lease.fence, report, put };
}

const linesOf = (events: { event: string; data: { line: string } }[]) =>
  events.filter(({ event }) => event === "log").map(({ data }) => data.line);
const png = (await makePng("#d9772b", { width: 400, height: 300 })).toString("base64");

test("shows the log, previews and stored outputs of work that runs, and none of it for free after a failure", async () => {
  const job = await startJob();
  const stream = await follow(job.id);
  await job.report({
    log: ["step 1 of 2", "\u001b[32mloaded\u001b[0m https://10.1.2.3/w?key=sk-1234567890"],
    preview: png,
  });
  await expect.poll(() => linesOf(stream.events)).toEqual(["step 1 of 2", "loaded […]"]);
  const findPreview = () => stream.events.findLast(({ data }) => data.preview)?.data.preview?.url;
  await expect.poll(findPreview).toBeDefined();
  const url = findPreview()!;
  const preview = await callApi(host, "GET", new URL(url).pathname + new URL(url).search, customer);
  expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: "webp", width: 256, height: 192 });
  const stranger = await newCustomer(hub);
  expect((await get(`${job.id}/preview`, stranger)).body.code).toBe("generation_not_found");

  expect((await job.put(0, "weights")).status).toBe(201);
  const stored = { index: 0, media_type: "text/plain", size: 7 };
  await expect.poll(() => stream.events.at(-1)!.data).toMatchObject({ outputs: [], stored_outputs: [stored] });
  const [file] = await hub.db.query<{ id: string }>("SELECT id FROM file WHERE generation_id = $1", [job.id]);
  expect((await callApi(host, "GET", `/api/v1/hub/files/${file!.id}`, customer)).status).toBe(404);

  await job.report({ gpu_ms: 0, code: "provider_error", message: "It broke.", retryable: false }, "fail");
  expect(await stream.ended).toBe("ended");
  expect(stream.events.at(-1)!.data).toMatchObject({ status: "failed", billed_cost: 0, outputs: [] });
  expect(stream.events.at(-1)!.data).not.toHaveProperty("stored_outputs");
  expect(stream.events.at(-1)!.data).not.toHaveProperty("preview");
  expect((await get(`${job.id}/preview`)).body.code).toBe("resource_not_found");
  expect(await purgeLive(hub, 1_000)).toBe(1);
  expect(await countKept(job.id)).toEqual([0, 0]);
});

const countKept = async (id: string) => {
  const [row] = await hub.db.query<{ lines: number; previews: number }>(
    `SELECT (SELECT count(*)::int FROM generation_log WHERE generation_id = $1) AS lines,
            (SELECT count(*)::int FROM generation_preview WHERE generation_id = $1) AS previews`,
    [id],
  );
  return [row!.lines, row!.previews];
};

test("a reader that comes back gets the lines and the outputs that it missed, each once", async () => {
  const job = await startJob();
  const leaving = new AbortController();
  const before = await follow(job.id, { signal: leaving.signal });
  await job.report({ log: ["one"] });
  await expect.poll(() => linesOf(before.events)).toEqual(["one"]);
  leaving.abort();
  await before.ended;
  await job.report({ log: ["two", "three"] });
  await job.put(0, "first");
  await job.put(1, "second");
  await job.report({ gpu_ms: 1 }, "complete");
  const after = await follow(job.id, { lastEventId: before.lastId });
  expect(await after.ended).toBe("ended");
  expect(linesOf(after.events)).toEqual(["two", "three"]);
  expect(after.events.at(-1)!.data.outputs).toHaveLength(2);
  expect((await follow(job.id, { lastEventId: after.lastId })).status).toBe(204);
});

test("keeps the newest lines, ten a second and a hundred in all, and of a log that is read again only what is new", async () => {
  const job = await startJob();
  const lines = (start: number, count: number) => Array.from({ length: count }, (_, n) => `line ${start + n}`);
  await job.report({ log: lines(0, 15) });
  expect(await readLines(job.id)).toEqual(lines(5, 10));
  const from = { generationId: job.id, attempt: job.fence, runId: null };
  await reportLive(hub, from, { lines: [{ text: "in the same second" }] });
  expect(await readLines(job.id)).toHaveLength(10);
  for (let n = 0; n < 12; n += 1) await job.report({ log: lines(100 + 10 * n, 10) });
  expect(await readLines(job.id)).toEqual(lines(120, 100));

  const log = [{ text: "a", end: 1 }, { text: "b", end: 3 }, { text: "c".repeat(600), end: 700 }]; // prettier-ignore
  for (const count of [2, 2, 3]) {
    hub.clock.advance(1_001);
    await reportLive(hub, from, { lines: log.slice(0, count) });
  }
  expect((await readLines(job.id)).slice(-3)).toEqual(["a", "b", "[…]"]);
  // Reports of another attempt or another run are ignored.
  for (const other of [
    { ...from, attempt: 2 },
    { ...from, runId: "a run" },
  ]) {
    hub.clock.advance(1_001);
    await reportLive(hub, other, { lines: [{ text: "late" }], preview: Buffer.from(png, "base64") });
  }
  expect((await readLines(job.id)).at(-1)).toBe("[…]");
  expect((await countKept(job.id))[1]).toBe(0);
  await finishGeneration(hub, { id: job.id, from: ["running"], to: "canceled" });
});

const readLines = async (id: string) =>
  (
    await hub.db.query<{ line: string }>("SELECT line FROM generation_log WHERE generation_id = $1 ORDER BY n", [id])
  ).map(({ line }) => line);

test("keeps lines and previews also after the clock went back", async () => {
  const job = await startJob();
  const from = { generationId: job.id, attempt: job.fence, runId: null };
  const report = async (text: string) => {
    await reportLive(hub, from, { lines: [{ text }], preview: Buffer.from(png, "base64") });
    const [row] = await hub.db.query<{ n: number }>("SELECT n FROM generation_preview WHERE generation_id = $1", [
      job.id,
    ]);
    return row!.n;
  };
  await job.report({ log: Array.from({ length: 10 }, (_, n) => `line ${n}`) });
  hub.clock.advance(1_001);
  expect(await report("before")).toBe(1);
  hub.clock.advance(-3_600_000);
  expect(await report("after")).toBe(2);
  expect((await readLines(job.id)).slice(-2)).toEqual(["before", "after"]);
  await finishGeneration(hub, { id: job.id, from: ["running"], to: "canceled" });
});

test("rejects reports beyond their bounds, and ignores pictures that cannot be shown without losing the lease", async () => {
  const job = await startJob();
  const large = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  const huge = await sharp({ create: { width: 400, height: 400, channels: 3, background: "#fff" } })
    .tiff()
    .toBuffer();
  const cut = Buffer.from(png, "base64").subarray(0, 60);
  for (const bytes of [large, huge, cut, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")])
    expect((await job.report({ preview: bytes.toString("base64") })).status).toBe(200);
  expect((await countKept(job.id))[1]).toBe(0);
  for (const [member, value] of [
    ["log", Array(21).fill("x")],
    ["log.0", ["x".repeat(2_001)]],
    ["preview", "not base64!"],
    ["preview", "A".repeat(700_004)],
  ] as const) {
    const { status, body } = await job.report({ [member.split(".")[0]!]: value });
    expect([status, Object.keys(body.errors as object)]).toEqual([400, [member]]);
  }
  expect((await job.report({ preview: png })).status).toBe(200);
  expect((await countKept(job.id))[1]).toBe(1);
  await finishGeneration(hub, { id: job.id, from: ["running"], to: "canceled" });
});
