import { expect, test } from "vitest";
import { getStoredGeneration } from "@/server/domain/generations/read/get";
import { insertManyWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { recordWaits } from "@/server/domain/generations/queue/route-waits";
import { markRunning } from "@/server/domain/generations/run/mark-running";
import { serializeGeneration } from "@/server/domain/generations/read/serialize-generation";
import { newId } from "@/server/lib/id";
import { explainPlan } from "../explain-plan";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const user = await newConsoleUser(hub);

/** Inserts an attempt; one with an outcome has ended. */
const insertAttempt = (id: string, n: number, outcome: string | null, queuePosition: number | null) =>
  hub.db.query(
    `INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, queue_position)
     VALUES ($1, $2, 'sandbox:sandbox-image', 'sandbox', $3, CASE WHEN $4::text IS NOT NULL THEN $3::timestamptz END, $4, $5)`,
    [id, n, hub.now(), outcome, queuePosition],
  );

test("a running generation shows its place in the provider's queue, in the console only", async () => {
  const generation = queuedGeneration(user.account, 1n);
  const { id } = generation;
  await insertManyWithHold(hub.db, [generation]);
  const readPosition = async () => (await user.console.generations.get({ id })).queue_position;
  expect(await readPosition()).toBeNull();
  await markRunning(hub, { generationId: id, runId: "run" });
  await insertAttempt(id, 1, "refused", 9);
  expect(await readPosition()).toBeNull();
  await insertAttempt(id, 2, null, 3);
  expect(await readPosition()).toBe(3);
  const stored = await getStoredGeneration(user.session, id);
  expect(Object.keys(serializeGeneration(hub, stored))).not.toContain("queue_position");
  // Statements that are only explained return no rows.
  const plan = await explainPlan(hub, (on) => user.consoleOn(on).generations.get({ id }).catch(() => null)); // prettier-ignore
  expect(plan).toMatch(/One-Time Filter: .*status = 'running'/);
});

test("a running generation shows which outputs are stored, but not their content", async () => {
  const generation = queuedGeneration(user.account, 1n);
  const { id } = generation;
  await insertManyWithHold(hub.db, [generation]);
  await markRunning(hub, { generationId: id, runId: "run" });
  await insertAttempt(id, 1, null, null);
  const read = async () => (await user.console.generations.get({ id })).stored_outputs;
  expect(await read()).toEqual([]);
  await hub.db.query(
    `INSERT INTO file (id, account_id, generation_id, index, media_type, size, sha256, created_at, expires_at)
     VALUES ($1, $2, $3, 1, 'image/png', 700, sha256(''), $4, $4)`,
    [newId(), user.account, id, hub.now()],
  );
  expect(await read()).toEqual([{ index: 1, media_type: "image/png", size: 700 }]);
  expect((await user.console.generations.get({ id })).outputs).toEqual([]);
});

test("a generation that the hub holds back shows why, until it ends", async () => {
  const generation = queuedGeneration(user.account, 1n);
  const { id } = generation;
  await insertManyWithHold(hub.db, [generation]);
  const readReason = async () => (await user.console.generations.get({ id })).wait_reason;
  expect(await readReason()).toBeNull();
  const waits = [
    { awaits: "fal", reason: "over_budget" as const },
    { awaits: "replicate", reason: "at_capacity" as const },
  ];
  await recordWaits(hub, id, "queued", waits);
  expect(await readReason()).toBe("at_capacity");
  await user.console.generations.cancel({ id });
  expect(await readReason()).toBeNull();
});

test("a generation that ends while its routes are looked up shows no wait", async () => {
  const generation = queuedGeneration(user.account, 1n);
  const { id } = generation;
  await insertManyWithHold(hub.db, [generation]);
  await user.console.generations.cancel({ id });
  await recordWaits(hub, id, "queued", [{ awaits: "fal", reason: "at_capacity" }]);
  expect(await hub.db.query("SELECT FROM route_wait WHERE generation_id = $1", [id])).toEqual([]);
});

test("describes the expected outputs by the model's defaults", async () => {
  const generation = { ...queuedGeneration(user.account, 1n), input: { prompt: "a tree", aspect_ratio: "16:9" } };
  const byDefault = queuedGeneration(user.account, 1n);
  const unknown = { ...queuedGeneration(user.account, 1n), model: "gone" };
  await insertManyWithHold(hub.db, [generation, byDefault, unknown]);
  const expected = async ({ id }: { id: string }) => (await user.console.generations.get({ id })).expected;
  expect(await expected(generation)).toEqual({ modalities: ["image"], ratio: 16 / 9, count: 1 });
  expect(await expected(byDefault)).toEqual({ modalities: ["image"], ratio: 1, count: 1 });
  expect(await expected(unknown)).toEqual({ modalities: [], ratio: null, count: 1 });
});
