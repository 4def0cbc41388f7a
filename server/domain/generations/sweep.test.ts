import { expect, test } from "vitest";
import { draft } from "../../../test/draft";
import { testHub } from "../../../test/hub";
import { createAccount } from "../accounts/create";
import { credit } from "../ledger/credit";
import { accept } from "./accept";
import { begin } from "./begin";
import { finish } from "./finish";
import type { Generation } from "./generation";
import { giveUp, renudge, renudgeLatest } from "./sweep";
import { wakeNext } from "./wake";

const SLOTS = 2;
let accounts = 0;

async function suite() {
  const hub = await testHub({ RUNNING_PER_ACCOUNT: String(SLOTS) });
  const account = await createAccount(hub, { email: `sweep-${(accounts += 1)}@example.org` });
  await credit(hub, account, { amount: 1_000n });
  const queue = async (count: number): Promise<Generation[]> => {
    const made = Array.from({ length: count }, () => ({ ...draft(account, 1n), created_at: hub.now() }));
    for (const generation of made) await accept(hub, generation);
    return made;
  };
  const nudged = () => hub.published.splice(0).map(({ data }) => (data as { id: string }).id);
  return { hub, account, queue, nudged };
}

test("a nudge that was lost is repeated after a minute, once a minute", async () => {
  const { hub, queue, nudged } = await suite();
  const [generation] = await queue(1);
  expect(await renudge(hub)).toBe(0);
  hub.clock.advance(61_000);
  expect(await renudge(hub)).toBe(1);
  expect(nudged()).toEqual([generation!.id]);
  expect(await renudge(hub)).toBe(0);
  hub.clock.advance(61_000);
  expect(await renudge(hub)).toBe(1);
});

test("a start nudges at once what a killed process may not have told", async () => {
  const { hub, queue, nudged } = await suite();
  const made = await queue(3);
  await begin(hub, made[0]!.id, "run");
  expect(await renudgeLatest(hub)).toBe(2);
  expect(nudged().toSorted()).toEqual(made.slice(1).map(({ id }) => id));
});

test("what finds no slot is parked, and the end of another wakes the longest parked", async () => {
  const { hub, account, queue, nudged } = await suite();
  const [a, b, c, d] = await queue(4);
  for (const { id } of [a!, b!]) expect(await begin(hub, id, "run")).toBe("begun");
  for (const { id } of [c!, d!]) expect(await begin(hub, id, "run")).toBe("parked");
  expect(nudged()).toEqual([]);
  hub.clock.advance(120_000);
  expect(await renudge(hub)).toBe(0);
  await finish(hub, { id: a!.id, from: ["running"], to: "succeeded" });
  await wakeNext(hub, account);
  expect(nudged()).toEqual([c!.id]);
  expect(await begin(hub, c!.id, "run")).toBe("begun");
});

test("the sweep wakes as many parked ones as there are free slots", async () => {
  const { hub, queue, nudged } = await suite();
  const [a, b, ...rest] = await queue(6);
  for (const { id } of [a!, b!]) await begin(hub, id, "run");
  for (const { id } of rest) await begin(hub, id, "run");
  for (const { id } of [a!, b!]) await finish(hub, { id, from: ["running"], to: "succeeded" });
  expect(await renudge(hub)).toBe(SLOTS);
  expect(nudged().toSorted()).toEqual(rest.slice(0, SLOTS).map(({ id }) => id));
});

test("a run that is gone is given up after its deadline, and its hold released", async () => {
  const { hub, account, queue } = await suite();
  const [generation] = await queue(1);
  await begin(hub, generation!.id, "run");
  hub.clock.advance(generation!.timeout_seconds * 1000 + 1_000);
  expect(await giveUp(hub)).toBe(0);
  hub.clock.advance(30_000);
  expect(await giveUp(hub)).toBe(1);
  const [row] = await hub.db.query("SELECT reserved, running, balance FROM account WHERE id = $1", [account]);
  expect(row).toEqual({ reserved: 0n, running: 0, balance: 1_000n });
  const [ended] = await hub.db.query(
    "SELECT status, billed_cost, error->>'code' AS code FROM generation WHERE id = $1",
    [generation!.id],
  );
  expect(ended).toEqual({ status: "failed", billed_cost: 0n, code: "timeout" });
});
