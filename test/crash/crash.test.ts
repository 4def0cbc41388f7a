import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningHub } from "../../e2e/server";
import { connectApi } from "../../scripts/tour/api";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openProcessHub } from "../chat/process-hub";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";
import { newWorker } from "../workers/test-workers";
import { openBatches } from "./batches";
import { openCalls } from "./calls";
import { openChats } from "./chats";
import { openGenerations } from "./generations";
import { openUploads } from "./uploads";

const KILLS = soakCount(1, 50);
const HEALTH = "/api/v1/health";
const LONG = soakCount(180_000, 3_600_000);

const { testHub: own, start } = await openProcessHub({
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
  RATE_LIMIT_READS_PER_MINUTE: "1000000",
  SANDBOX_WORKER: "on",
});
const random = createRandom(seed);
let hub: RunningHub;
beforeAll(async () => {
  hub = await start();
});
afterAll(() => hub.kill9());

/** Opens the clients of each kind, which have accounts of their own. */
const openLoads = async (url: string) => ({
  generations: await openGenerations(own, url, random),
  uploads: await openUploads(own, url, random),
  calls: await openCalls(own, url, KILLS),
  chats: await openChats(own, url, KILLS),
  batches: await openBatches(own, url),
});
let loads: Awaited<ReturnType<typeof openLoads>>;
let restartedAt: Date;

test(
  `${KILLS} kill(s) interrupt clients of each kind, and each batch is there once and whole`,
  async () => {
    loads = await openLoads(hub.url);
    const { generations, uploads, calls, chats, batches } = loads;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const [call] = await Promise.all([calls.begin(kill), generations.untilBusy()]);
      const [uploading] = await Promise.all([uploads.begin(), chats.untilBusy(kill)]);
      const batch = batches.create(kill);
      // The kill comes at any time from before the request arrives until after it was answered.
      for (let turns = Math.floor(random() * 20); turns > 0; turns -= 1) await fetch(hub.url + HEALTH);
      await hub.kill9();
      restartedAt = new Date();
      expect(await call.ended).toBe("lost");
      await uploading.ended;
      hub = await start();
      if (kill === KILLS - 1) await generations.stop();
      await batches.repeat(kill, await batch);
    }
    await batches.expectOneEach(KILLS);
  },
  LONG,
);

test("no accepted generation is lost or billed twice", () => loads.generations.expectEnds(), LONG);

test(
  "the sum of the costs that chats returned is what the ledger charged",
  () => loads.chats.expectCharges(restartedAt),
  LONG,
);

test("repeated calls of a tool make one generation and one charge each", () => loads.calls.expectOneEach(), LONG);

test("the restarted hub runs its own trainer, accepts jobs for offline workers, and responds to waiting claims as it stops", async () => {
  const { key } = await newCustomer(own);
  const { token } = await newWorker(own);
  const api = connectApi(hub.url, key);
  const expectSuccess = async (model: string, input: object) => {
    const { body } = await api.post<{ id: string }>("/hub/generations", { model, input });
    const get = () => api.get<{ status: string; outputs: { url: string }[] }>(`/hub/generations/${body.id}`);
    await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe("succeeded");
    return (await get()).outputs;
  };
  const [image] = await expectSuccess("sandbox-image", { prompt: "a face" });
  expect(await expectSuccess("sandbox-trainer", { images: [image!.url] })).toHaveLength(2);

  const claim = (wait_seconds?: number) =>
    fetch(`${hub.url}/api/v1/worker/claim`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ models: ["nothing"], wait_seconds }),
    });
  const waiting = claim(30);
  await claim();
  const began = performance.now();
  const stopped = hub.stop();
  expect((await waiting).status).toBe(204);
  expect(await stopped).toBe(0);
  // The claim would wait for 30 seconds.
  expect(performance.now() - began).toBeLessThan(25_000);
});

test("confirmed files exist, and the sweep leaves no orphan", () => loads.uploads.expectFiles(), LONG);

test("the audit finds no violation after all this", async () => {
  expect(await runAudit(own.db)).toMatchObject({ violations: [], reserved: 0 });
});
