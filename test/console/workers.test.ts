import { afterAll, beforeEach, expect, test } from "vitest";
import { revokeToken } from "../../server/domain/workers/worker";
import type { OfferedModel } from "../../server/catalogue/model";
import { waitForJob } from "../../server/domain/workers/claim-job";
import { recordHeartbeat } from "../../server/domain/workers/lease";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { followJobs } from "../../server/process/notifications";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { addGpuModels, newWorker } from "../workers/test-workers";
import { newConsoleUser } from "./console-user";
import { testOperator } from "../operator";

const hub = await testHub({ BASE_URL: "https://hub.test", RUNNING_PER_ACCOUNT: "3" });
addGpuModels(hub);
const hidden: OfferedModel = { ...hub.catalogue.get("gpu-b")!, id: "hidden", membersOnly: true };
hub.catalogue = new Map([...hub.catalogue, [hidden.id, hidden]]);
// Another process on the same database.
const otherProcess = deriveHub(hub, { presence: new Map() });
const stopFollowing = followJobs(otherProcess, hub.databaseUrl);
afterAll(stopFollowing);

let user: Awaited<ReturnType<typeof newConsoleUser>>;
beforeEach(async () => {
  hub.presence.clear();
  otherProcess.presence.clear();
  user = await newConsoleUser(hub, { credit: 100 });
});
const queue = async (model = "gpu-a", by = user) =>
  (await startGeneration(by.session, { model, input: {} }, null)).generation.id;
const list = (by = user) => by.console.workers.list();

test("without workers, shows the queue and that no worker serves it", async () => {
  const id = await queue();
  expect(await list()).toMatchObject({ workers: [], slots: { used: 0, max: 3 } });
  expect((await list()).models).toMatchObject([
    { id: "sandbox-trainer", online: 0, waiting: 0 },
    { id: "gpu-a", online: 0, running: 0, waiting: 1 },
    { id: "gpu-b", online: 0 },
  ]);
  await user.console.generations.cancel({ id });
});

test("a worker is online from its first claim on, in every process, and offline when it stops claiming", async () => {
  const worker = await newWorker(hub);
  await waitForJob(hub, worker, { models: ["gpu-b", "unknown"] });
  const online = {
    id: worker.tokenId,
    name: worker.name,
    is_online: true,
    is_busy: false,
    models: ["gpu-b"],
    jobs: [],
  };
  expect((await list()).workers).toMatchObject([online]);
  const other = user.consoleOn(otherProcess);
  // The connection of the other process may not have been open before.
  await expect
    .poll(async () => {
      hub.presence.clear();
      await waitForJob(hub, worker, { models: ["gpu-b"] });
      return (await other.workers.list()).workers;
    })
    .toMatchObject([online]);
  hub.clock.advance(46_000);
  expect((await list()).workers).toMatchObject([{ is_online: false, seen_at: expect.any(String) as string }]);
  await revokeToken(hub, testOperator, worker.name);
  expect((await list()).workers).toEqual([]);
});

test("shows a worker's job to its account, and to others only that the worker is busy", async () => {
  const worker = await newWorker(hub);
  const otherAccount = await newConsoleUser(hub);
  const id = await queue();
  const leased = await waitForJob(hub, worker, { models: ["gpu-a"] });
  expect(leased!.id).toBe(id);
  await recordHeartbeat(hub, worker, leased!.lease_id, { fence: leased!.fence, progress: 0.5 });
  // Its job runs longer than a claim counts as presence.
  hub.presence.clear();
  expect(await list()).toMatchObject({
    workers: [
      {
        name: worker.name,
        is_online: true,
        is_busy: true,
        models: ["gpu-a"],
        jobs: [{ id, model: "gpu-a", progress: 0.5 }],
      },
    ],
    slots: { used: 1 },
  });
  expect((await list(otherAccount)).workers).toEqual([]);
  await waitForJob(hub, worker, { models: ["gpu-a"] });
  const seen = await list(otherAccount);
  expect(seen).toMatchObject({ workers: [{ name: worker.name, is_busy: true, jobs: [] }], slots: { used: 0 } });
  expect(JSON.stringify(seen)).not.toContain(id);

  // An expired lease no longer shows presence.
  hub.clock.advance(61_000);
  expect((await list()).workers).toMatchObject([{ is_online: false, is_busy: false, jobs: [] }]);
});

test("shows models for members, and their workers, to members only", async () => {
  const worker = await newWorker(hub);
  await waitForJob(hub, worker, { models: ["hidden"] });
  expect(JSON.stringify(await list())).not.toMatch(/hidden/);
  const member = await newConsoleUser(hub, { member: true });
  const displayed = await list(member);
  expect(displayed.workers).toMatchObject([{ name: worker.name, models: ["hidden"] }]);
  expect(displayed.models.find(({ id }) => id === "hidden")).toMatchObject({ online: 1 });
});

test("the hub's own worker has a name and no token", async () => {
  await waitForJob(hub, { tokenId: null, name: "sandbox" }, { models: ["sandbox-trainer"] });
  expect((await list()).workers).toMatchObject([{ id: "", name: "sandbox", is_online: true }]);
});
