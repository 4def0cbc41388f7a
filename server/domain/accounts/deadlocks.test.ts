import type pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { withClient } from "../../../test/cluster";
import { deriveHub } from "../../../test/derive-hub";
import { queuedGeneration } from "../../../test/generation-fixture";
import { type TestHub, testHub } from "../../../test/hub";
import { soakCount } from "../../../test/soak";
import { openDb } from "../../db/client";
import { newId } from "../../lib/id";
import { runAudit } from "../audit/audit";
import { finishGeneration } from "../generations/end/finish";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { leaseNextJob } from "../generations/run/lease";
import { markRunning } from "../generations/run/mark-running";
import { requeueFailed } from "../generations/run/requeue";
import { settleChat } from "../generations/end/settle-chat";
import { createKey } from "../keys/create";
import { creditAccount } from "../ledger/credit";
import { createAccount } from "../people/create-account";
import { insertRejections } from "../rejections/rejection-log";

const REQUESTS = soakCount(1_000, 20_000);
const CONNECTIONS = 64;
vi.setConfig({ testTimeout: soakCount(60_000, 1_200_000) });

const hub = await testHub({ RUNNING_PER_ACCOUNT: "8" });
// Another process has connections of its own: each orders its own writes, but not those of the other.
const otherDb = openDb(hub.databaseUrl, 10);
afterAll(() => otherDb.close());
const hubs = [hub, deriveHub(hub, { db: otherDb })];

const account = await createAccount(hub, { email: "busy@example.org" });
await creditAccount(hub, account, { amount: 10_000_000_000n });
const { record: key } = await createKey(hub, account, { name: "busy", spend_limit: 5 });
// So that each change also inserts an event, which refers to the account.
await hub.db.query("UPDATE account SET follows_events = true WHERE id = $1", [account]);
const generation = () => ({ ...queuedGeneration(account, 100n), key_id: key.id });

/** Returns how many deadlocks Postgres has ended, as of the last second. */
async function countDeadlocks(): Promise<bigint> {
  const [row] = await hub.db.query<{ deadlocks: bigint }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  return row!.deadlocks;
}

const works: ((on: TestHub) => Promise<unknown>)[] = [
  async function chat(on) {
    const running = { status: "running" as const, started_at: new Date(), deadline_at: new Date(Date.now() + 60_000) };
    const { id, ...row } = { ...generation(), ...running, is_llm: true };
    expect(await insertWithHold(on, { id, ...row })).toBe("accepted");
    expect(await settleChat(on, id, { to: "succeeded", cost: 40n, attempts: [] })).toBe(true);
  },
  async function runGeneration(on) {
    const row = generation();
    expect(await insertWithHold(on, row)).toBe("accepted");
    const started = await markRunning(on, { generationId: row.id, runId: "run" });
    const to = started === "running" ? "succeeded" : "canceled";
    expect(await finishGeneration(on, { id: row.id, from: ["queued", "running"], to })).not.toBeNull();
  },
  async function runJob(on) {
    expect(await insertWithHold(on, { ...generation(), provider: "worker" })).toBe("accepted");
    const job = await leaseNextJob(on, { tokenId: null }, ["sandbox-image"]);
    if (!job) return;
    if (job.fence === 1) return requeueFailed(on, job.id, job.fence, 0);
    await finishGeneration(on, { id: job.id, from: ["running"], to: "succeeded", fence: job.fence, gpuMs: 0 });
  },
  // The row of a rejected request refers to the account too, in a transaction that does not otherwise lock it.
  function reject(on) {
    const at = { account_id: account, minute: new Date() };
    const request = { key_id: key.id, created_at: new Date(), request_id: "request", method: "GET", path: "/" };
    const row = { ...at, ...request, id: newId(), status: 400, code: "invalid_input", message: "" };
    const count = { ...at, offered: 1, dropped: 0 };
    return on.db.transaction((tx) => insertRejections(tx, JSON.stringify([row]), JSON.stringify([count])));
  },
];

test(`${REQUESTS} concurrent requests for one account on two hubs never deadlock`, async () => {
  let sent = 0;
  const side = async () => {
    while (sent < REQUESTS) {
      const n = (sent += 1);
      await works[n % works.length]!(hubs[Math.floor(n / works.length) % hubs.length]!);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, side));
  expect(await countDeadlocks()).toBe(0n);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

// Both holds have a snapshot with the first version of the account, which the reference locks although another transaction
// has replaced it. One of them gets the lock of the newest version, and then has to find the row by the first one.
test("a reference to an account that is being changed does not make two holds wait for each other", async () => {
  const countWaiting = async () => (await hub.db.query(selectWaiting)).length;
  const connect = <T>(work: (client: pg.Client) => Promise<T>) => withClient(hub.databaseUrl, work);
  await connect(async (change) => {
    await change.query("BEGIN");
    await change.query("UPDATE account SET member = member WHERE id = $1", [account]);
    const holds = hubs.map((on) => insertWithHold(on, generation()));
    await expect.poll(countWaiting).toBe(2);
    await connect(async (reference) => {
      await reference.query("BEGIN");
      await reference.query("INSERT INTO rejected_request_count VALUES ($1, now() + interval '1 day', 1, 0)", [
        account,
      ]);
      await change.query("COMMIT");
      await expect.poll(countWaiting).toBe(2);
      await reference.query("COMMIT");
    });
    expect(await Promise.all(holds)).toEqual(["accepted", "accepted"]);
  });
  expect(await countDeadlocks()).toBe(0n);
});

const selectWaiting = `
  SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`;
