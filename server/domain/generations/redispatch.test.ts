import { afterEach, expect, test } from "vitest";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { createAccount } from "../people/create-account";
import { creditAccount } from "../ledger/credit";
import { insertWithHold } from "./intake/insert-with-hold";
import { markRunning } from "./run/mark-running";
import { finishGeneration } from "./end/finish";
import type { Generation } from "./row/generation";
import { redispatchStale, redispatchLatest } from "./queue/redispatch";
import { dispatchNextQueued } from "./queue/dispatch-queued";

const SLOTS = 2;
let accounts = 0;

const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
const all: string[] = [];
// Ends generations that the sweeps of later tests would find.
afterEach(async () => {
  for (const id of all.splice(0)) await finishGeneration(hub, { id, from: ["queued", "running"], to: "canceled" });
  hub.published.length = 0;
});

async function createSuite() {
  const account = await createAccount(hub, { email: `sweep-${(accounts += 1)}@example.org` });
  await creditAccount(hub, account, { amount: 1_000n });
  const queue = async (count: number): Promise<Generation[]> => {
    const created = Array.from({ length: count }, () => ({ ...queuedGeneration(account, 1n), created_at: hub.now() }));
    for (const generation of created) await insertWithHold(hub, generation);
    all.push(...created.map(({ id }) => id));
    return created;
  };
  const takeDispatched = () => hub.published.splice(0).map(({ data }) => (data as { id: string }).id);
  return { account, queue, takeDispatched };
}

test("a queued generation whose event was lost is dispatched again once a minute", async () => {
  const { queue, takeDispatched } = await createSuite();
  const [generation] = await queue(1);
  expect(await redispatchStale(hub)).toBe(0);
  hub.clock.advance(61_000);
  expect(await redispatchStale(hub)).toBe(1);
  expect(takeDispatched()).toEqual([generation!.id]);
  expect(await redispatchStale(hub)).toBe(0);
  hub.clock.advance(61_000);
  expect(await redispatchStale(hub)).toBe(1);
});

test("a starting process dispatches queued generations at once", async () => {
  const { queue, takeDispatched } = await createSuite();
  const created = await queue(3);
  await markRunning(hub, { generationId: created[0]!.id, runId: "run" });
  expect(await redispatchLatest(hub)).toBe(2);
  expect(takeDispatched().toSorted()).toEqual(created.slice(1).map(({ id }) => id));
});

test("a generation without a slot waits, and the end of another dispatches the oldest one", async () => {
  const { account, queue, takeDispatched } = await createSuite();
  const [a, b, c, d] = await queue(4);
  for (const { id } of [a!, b!]) expect(await markRunning(hub, { generationId: id, runId: "run" })).toBe("running");
  for (const { id } of [c!, d!]) expect(await markRunning(hub, { generationId: id, runId: "run" })).toBe("no_slot");
  expect(takeDispatched()).toEqual([]);
  hub.clock.advance(120_000);
  expect(await redispatchStale(hub)).toBe(0);
  await finishGeneration(hub, { id: a!.id, from: ["running"], to: "succeeded" });
  await dispatchNextQueued(hub, account);
  expect(takeDispatched()).toEqual([c!.id]);
  expect(await markRunning(hub, { generationId: c!.id, runId: "run" })).toBe("running");
});

test("the sweep dispatches as many waiting generations as there are free slots", async () => {
  const { queue, takeDispatched } = await createSuite();
  const [a, b, ...rest] = await queue(6);
  for (const { id } of [a!, b!]) await markRunning(hub, { generationId: id, runId: "run" });
  for (const { id } of rest) await markRunning(hub, { generationId: id, runId: "run" });
  for (const { id } of [a!, b!]) await finishGeneration(hub, { id, from: ["running"], to: "succeeded" });
  expect(await redispatchStale(hub)).toBe(SLOTS);
  expect(takeDispatched().toSorted()).toEqual(rest.slice(0, SLOTS).map(({ id }) => id));
});
