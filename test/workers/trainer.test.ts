import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenToChannels } from "../../server/db/listen";
import { runAudit } from "../../server/domain/audit/audit";
import { storeOutput } from "../../server/domain/files/store-output";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { requeueExpiredLeases } from "../../server/domain/generations/run/requeue";
import { leaseNextJob } from "../../server/domain/generations/run/lease";
import { trainPalette } from "../../server/providers/sandbox/trainer/train";
import { followJobs } from "../../server/process/notifications";
import { startSandboxWorker } from "../../server/process/sandbox-worker";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { makePng } from "../media/png";

const host = await openOwnHost();
const { hub } = host;
const JOBS = "/api/v1/hub/generations";

let customer: Customer;
let images: string[];
/** A file that is not an image. */
let description: string;
beforeAll(async () => {
  customer = await newCustomer(hub);
  const made = await callApi(host, "POST", JOBS, {
    key: customer.key,
    body: { model: "sandbox-image", input: { prompt: "x" } },
  });
  const generationId = made.body.id as string;
  await markRunning(hub, { generationId, runId: "run" });
  for (const [index, background] of [null, "#c02020", "#2020c0"].entries()) {
    const content = (async function* () {
      yield background ? await makePng(background) : Buffer.from("{}");
    })();
    await storeOutput(hub, { generationId, accountId: customer.account, index }, { mediaType: "image/png", content });
  }
  await finishGeneration(hub, { id: generationId, from: ["running"], to: "succeeded", outputs: 3 });
  const drawn = await hub.db.query<{ id: string }>("SELECT id FROM file WHERE generation_id = $1 ORDER BY index", [
    generationId,
  ]);
  const addresses = drawn.map(({ id }) => `https://hub.test/api/v1/hub/files/${id}`);
  [description, ...images] = addresses as [string, ...string[]];
});

const queue = async (input: Record<string, unknown> = {}) => {
  const body = { model: "sandbox-trainer", input: { images, ...input } };
  return (await callApi(host, "POST", JOBS, { key: customer.key, body })).body.id as string;
};
const read = async (id: string) => (await callApi(host, "GET", `${JOBS}/${id}`, { key: customer.key })).body;
const waitForGeneration = (id: string, status: string) =>
  expect.poll(async () => (await read(id)).status, { timeout: 20_000, interval: 50 }).toBe(status);

describe("the hub's own worker", () => {
  let stop: () => Promise<void>;
  let stopFollowing: () => Promise<void>;
  beforeAll(() => {
    stopFollowing = followJobs(hub, hub.databaseUrl);
    stop = startSandboxWorker(hub);
  });
  afterAll(async () => {
    await stop();
    await stopFollowing();
  });

  test("creates a contact sheet and the palette of the images", async () => {
    const id = await queue({ trigger_word: "sks" });
    await waitForGeneration(id, "succeeded");
    const done = await read(id);
    expect(done).toMatchObject({ progress: 1, provider: "worker", estimated_cost: 0.06 });
    expect(done.billed_cost).toBeLessThan(0.01);
    const [sheet, described] = await Promise.all(
      (done.outputs as { url: string }[]).map(async ({ url }) =>
        callApi(host, "GET", new URL(url).pathname, { key: customer.key }),
      ),
    );
    expect(await sharp(sheet!.bytes).metadata()).toMatchObject({ format: "png", width: 432, height: 304 });
    const { palette, ...rest } = JSON.parse(described!.bytes.toString()) as { palette: { share: number }[] };
    expect(rest).toEqual({ images: 2, trigger_word: "sks", steps: 10 });
    expect(palette.map(({ share }) => share).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });

  test.each([
    ["[fail]", "failed"],
    ["[flaky]", "succeeded"],
    ["[slow:1]", "succeeded"],
  ])("applies %s", async (trigger_word, status) => {
    const id = await queue({ trigger_word });
    await waitForGeneration(id, status);
  });

  test("stops when the customer cancels", async () => {
    const id = await queue({ trigger_word: "[hang]" });
    await waitForGeneration(id, "running");
    const { status, body } = await callApi(host, "POST", `${JOBS}/${id}/cancel`, { key: customer.key });
    expect([status, body.status]).toEqual([200, "canceled"]);
    expect(body.billed_cost).toBeGreaterThanOrEqual(0);
  });

  test("fails for a file that is no image", async () => {
    const id = await queue({ images: [description] });
    await waitForGeneration(id, "failed");
    expect((await read(id)).error).toMatchObject({ code: "input_unavailable" });
  });

  test("returns its job to the queue when it stops", async () => {
    const id = await queue({ trigger_word: "[hang]" });
    await waitForGeneration(id, "running");
    await stop();
    expect((await read(id)).status).toBe("queued");
    await callApi(host, "POST", `${JOBS}/${id}/cancel`, { key: customer.key });
  });
});

test("a training continues from its checkpoint with the same result", async () => {
  const picture = await makePng("#208020");
  const run = async (checkpoint: unknown, reports: unknown[]) => {
    const trained = await trainPalette(
      { input: { images: ["a"], steps: 5 }, attempt: 1, checkpoint },
      {
        read: async () => picture,
        report: async (_, next) => void reports.push(next),
        signal: new AbortController().signal,
      },
    );
    if (trained.state === "failed") throw new Error(trained.error.message);
    const contents: Buffer[] = [];
    for (const { content } of trained.outputs) for await (const part of content) contents.push(Buffer.from(part));
    return contents;
  };
  const whole: unknown[] = [];
  const result = await run(null, whole);
  expect(whole).toHaveLength(5);
  const rest: unknown[] = [];
  expect(await run(whole[2], rest)).toEqual(result);
  expect(rest.length).toBeLessThan(5);
});

test("the end of one job wakes workers that wait for a slot of its account", async () => {
  const notified: string[] = [];
  const stop = listenToChannels({
    url: hub.databaseUrl,
    channels: { hub_worker: (model) => void notified.push(model) },
    log: hub.log,
  });
  await expect.poll(async () => (await queue(), notified.length)).toBeGreaterThan(0);
  expect(notified).toContain("sandbox-trainer");
  const leased = await leaseNextJob(hub, { tokenId: null }, ["sandbox-trainer"]);
  await queue();
  notified.length = 0;
  await callApi(host, "POST", `${JOBS}/${leased!.id}/cancel`, { key: customer.key });
  await expect.poll(() => notified).toContain("");
  await stop();
});

test("the audit finds no violation after these jobs", async () => {
  await requeueExpiredLeases(hub);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
