import { afterAll, beforeAll, expect, test } from "vitest";
import { queuedGeneration } from "../../../../test/generation-fixture";
import { deriveHub } from "../../../../test/derive-hub";
import { type TestHub, testHub } from "../../../../test/hub";
import type { Hub } from "../../hub";
import { type Db, openDb } from "../../../db/client";
import { createAccount } from "../../people/create-account";
import { runAudit } from "../../audit/audit";
import { creditAccount } from "../../ledger/credit";
import { insertWithHold } from "../intake/insert-with-hold";
import { finishGeneration } from "./finish";
import type { Generation } from "../row/generation";
import { settleChat } from "./settle-chat";

const CHATS = 60;
const ROUNDS = 15;

let hub: TestHub;
let other: Hub;
let otherDb: Db;
const accounts: number[] = [];
const warnings: unknown[] = [];
beforeAll(async () => {
  hub = await testHub();
  otherDb = openDb(hub.databaseUrl, 4);
  other = deriveHub(hub, { db: otherDb, log: { ...hub.log, warn: (entry: unknown) => warnings.push(entry) } });
  for (const name of ["a", "b", "c"]) {
    const account = await createAccount(hub, { email: `${name}@example.org` });
    await creditAccount(hub, account, { amount: 1_000_000n });
    accounts.push(account);
  }
});
afterAll(() => otherDb.close());

/** Returns a running chat whose deadline does not depend on its age. */
const chat = (n: number): Generation => ({
  ...queuedGeneration(accounts[n % accounts.length]!, 100n),
  is_llm: true,
  status: "running",
  started_at: new Date(),
  deadline_at: new Date(Date.now() + 60_000 + ((n * 7_919) % 1_000)),
});

test("each chat ends once, and hubs that settle and renew many chats concurrently never deadlock", async () => {
  const lost = { code: "internal_error", message: "It was lost.", retryable: true } as const;
  let settled = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const chats = Array.from({ length: CHATS }, (_, n) => chat(n));
    expect(await Promise.all(chats.map((one) => insertWithHold(hub, one)))).toEqual(chats.map(() => "accepted"));
    const ids = chats.map(({ id }) => id);
    for (const id of ids) other.services.renewLease(id);
    const [settledHere, endedThere] = await Promise.all([
      Promise.all(ids.map((id) => settleChat(hub, id, { to: "succeeded", cost: 40n, attempts: [] }))),
      Promise.all(ids.map((id) => finishGeneration(other, { id, from: ["running"], to: "failed", error: lost }))),
    ]);
    ids.forEach((_, n) => expect(settledHere[n]).toBe(endedThere[n] === null));
    settled += settledHere.filter(Boolean).length;
  }
  const { violations, reserved, balance } = await runAudit(hub.db);
  expect({ violations, reserved }).toEqual({ violations: [], reserved: 0 });
  expect(Math.round((0.003 - balance) * 1e9)).toBe(settled * 40);
  expect(warnings).toEqual([]);
});

/** Inserts two chats and runs `work` while another transaction locks the older one; the tables have statistics. */
async function whileOlderIsLocked(work: (older: string, younger: string) => Promise<void>) {
  const [older, younger] = [chat(2), chat(1)].map((one, n) => ({ ...one, deadline_at: new Date(Date.now() + 90_000 - n * 1_000) })) as [Generation, Generation]; // prettier-ignore
  for (const one of [older, younger]) expect(await insertWithHold(hub, one)).toBe("accepted");
  await hub.db.query("ANALYZE generation");
  await otherDb.transaction(async (tx) => {
    await tx.query("SELECT id FROM generation WHERE id = $1 FOR UPDATE", [older.id]);
    await work(older.id, younger.id);
  });
}

test("settlement locks the oldest chat first, and no other chat while it waits", async () => {
  let ends: Promise<boolean[]> | undefined;
  await whileOlderIsLocked(async (...ids) => {
    ends = Promise.all(ids.map((id) => settleChat(hub, id, { to: "succeeded", cost: 1n, attempts: [] })));
    const waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(() => hub.db.query(waiting)).toHaveLength(1);
    const unlocked = "SELECT id FROM generation WHERE id = $1 FOR UPDATE SKIP LOCKED";
    expect(await hub.db.query(unlocked, [ids[1]])).toHaveLength(1);
  });
  expect(await ends).toEqual([true, true]);
});

test("lease renewal skips locked chats", async () => {
  await whileOlderIsLocked(async (older, younger) => {
    const soon = "SELECT id FROM generation WHERE id = ANY ($1) AND deadline_at < now() + interval '60 seconds'";
    for (const id of [older, younger]) hub.services.renewLease(id);
    await expect.poll(() => hub.db.query(soon, [[older, younger]])).toEqual([{ id: younger }]);
  });
});

const UNSTORABLE = { code: "provider_error", message: "cut \ud83d", retryable: false } as const;
const STORABLE = { ...UNSTORABLE, message: "whole 🦊" };
const statusesOf = async (ids: string[]) => {
  const rows = await hub.db.query<{ id: string; status: string }>(
    "SELECT id, status FROM generation WHERE id = ANY ($1::uuid[])",
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)!.status);
};

test("a chat whose ending Postgres rejects does not keep those beside it from ending", async () => {
  const chats = Array.from({ length: 5 }, (_, n) => chat(n));
  await Promise.all(chats.map((one) => insertWithHold(hub, one)));
  const settled = await Promise.allSettled(
    chats.map(({ id }, n) =>
      settleChat(hub, id, { to: "failed", cost: 0n, error: n === 2 ? UNSTORABLE : STORABLE, attempts: [] }),
    ),
  );
  expect(settled.map(({ status }) => status)).toEqual(chats.map((_, n) => (n === 2 ? "rejected" : "fulfilled")));
  const ids = chats.map(({ id }) => id);
  expect(await statusesOf(ids)).toEqual(chats.map((_, n) => (n === 2 ? "running" : "failed")));
});

test("nor does a generation", async () => {
  const generations = Array.from({ length: 5 }, (_, n) => queuedGeneration(accounts[n % accounts.length]!, 100n));
  await Promise.all(generations.map((one) => insertWithHold(hub, one)));
  const ended = await Promise.allSettled(
    generations.map(({ id }, n) =>
      finishGeneration(hub, {
        id,
        from: ["queued"],
        to: "failed",
        error: n === 2 ? UNSTORABLE : STORABLE,
      }),
    ),
  );
  expect(ended.map(({ status }) => status)).toEqual(generations.map((_, n) => (n === 2 ? "rejected" : "fulfilled")));
  const ids = generations.map(({ id }) => id);
  expect(await statusesOf(ids)).toEqual(generations.map((_, n) => (n === 2 ? "queued" : "failed")));
});
