import { afterAll, beforeEach, expect, test } from "vitest";
import { revokeToken } from "../../server/domain/workers/worker";
import type { OfferedModel } from "../../server/catalogue/model";
import { waitForJob } from "../../server/domain/workers/wait-for-job";
import { recordHeartbeat } from "../../server/domain/workers/heartbeat";
import { startGeneration } from "../../server/domain/generations/start";
import { followWorkers } from "../../server/process/follow-workers";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { addGpuModels, newWorker } from "../workers/test-workers";
import { newPerson } from "./caller";

const hub = await testHub({ BASE_URL: "https://hub.test", RUNNING_PER_ACCOUNT: "3" });
addGpuModels(hub);
const hidden: OfferedModel = { ...hub.catalogue.get("gpu-b")!, id: "hidden", membersOnly: true };
hub.catalogue = new Map([...hub.catalogue, [hidden.id, hidden]]);
// Another process on the same database.
const elsewhere = deriveHub(hub, { presence: new Map() });
const unfollow = followWorkers(elsewhere, hub.databaseUrl);
afterAll(unfollow);

let person: Awaited<ReturnType<typeof newPerson>>;
beforeEach(async () => {
  hub.presence.clear();
  elsewhere.presence.clear();
  person = await newPerson(hub, { credit: 100 });
});
const queue = async (model = "gpu-a", by = person) =>
  (await startGeneration(by.session, { model, input: {} }, null)).generation.id;
const list = (by = person) => by.console.workers.list();

test("without workers the queue is told, and that nobody serves it", async () => {
  const id = await queue();
  expect(await list()).toMatchObject({ workers: [], slots: { used: 0, max: 3 } });
  expect((await list()).models).toMatchObject([
    { id: "sandbox-trainer", online: 0, waiting: 0 },
    { id: "gpu-a", online: 0, running: 0, waiting: 1 },
    { id: "gpu-b", online: 0 },
  ]);
  await person.console.generations.cancel({ id });
});

test("a worker is online from its first question on, in every process, and away when it asks no more", async () => {
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
  const other = person.consoleOn(elsewhere);
  // The line to the other process may only now be open.
  await expect
    .poll(async () => {
      hub.presence.clear();
      await waitForJob(hub, worker, { models: ["gpu-b"] });
      return (await other.workers.list()).workers;
    })
    .toMatchObject([online]);
  hub.clock.advance(46_000);
  expect((await list()).workers).toMatchObject([{ is_online: false, seen_at: expect.any(String) as string }]);
  await revokeToken(hub, worker.name);
  expect((await list()).workers).toEqual([]);
});

test("what a worker runs is told to whom it belongs; others see that it works", async () => {
  const worker = await newWorker(hub);
  const stranger = await newPerson(hub);
  const id = await queue();
  const taken = await waitForJob(hub, worker, { models: ["gpu-a"] });
  expect(taken!.id).toBe(id);
  await recordHeartbeat(hub, worker, taken!.lease_id, { fence: taken!.fence, progress: 0.5 });
  // It is at work for longer than anybody remembers its question.
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
  expect((await list(stranger)).workers).toEqual([]);
  await waitForJob(hub, worker, { models: ["gpu-a"] });
  const seen = await list(stranger);
  expect(seen).toMatchObject({ workers: [{ name: worker.name, is_busy: true, jobs: [] }], slots: { used: 0 } });
  expect(JSON.stringify(seen)).not.toContain(id);

  // A lease that lapses says nothing any more.
  hub.clock.advance(61_000);
  expect((await list()).workers).toMatchObject([{ is_online: false, is_busy: false, jobs: [] }]);
});

test("a model for members, and who serves nothing else, are there for members", async () => {
  const worker = await newWorker(hub);
  await waitForJob(hub, worker, { models: ["hidden"] });
  expect(JSON.stringify(await list())).not.toMatch(/hidden/);
  const member = await newPerson(hub, { member: true });
  const shown = await list(member);
  expect(shown.workers).toMatchObject([{ name: worker.name, models: ["hidden"] }]);
  expect(shown.models.find(({ id }) => id === "hidden")).toMatchObject({ online: 1 });
});

test("the worker in the hub's own process has a name and no token", async () => {
  await waitForJob(hub, { tokenId: null, name: "sandbox" }, { models: ["sandbox-trainer"] });
  expect((await list()).workers).toMatchObject([{ id: "", name: "sandbox", is_online: true }]);
});
