import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startThrowawayCluster } from "../../test/cluster";
import { queuedGeneration } from "../../test/generation-fixture";
import { deriveHub } from "../../test/derive-hub";
import { findReplayedChat } from "../domain/generations/replay/replay";
import type { Ctx } from "../context";
import type { Hub } from "../domain/hub";
import { createAccount } from "../domain/people/create-account";
import { settleChat } from "../domain/generations/end/settle-chat";
import { insertWithHold } from "../domain/generations/intake/insert-with-hold";
import type { Generation } from "../domain/generations/row/generation";
import { creditAccount } from "../domain/ledger/credit";
import { createHub } from "../domain/hub";
import { readEnv } from "../env";
import { createHubMetrics } from "../lib/metrics/hub-metrics";
import { openDb } from "./client";

let cluster: Cluster;
let hub: Hub;
let account: number;
beforeAll(async () => {
  // This Postgres writes asynchronous commits every ten seconds.
  cluster = await startThrowawayCluster({ fsync: "off", wal_writer_delay: "10000" });
  const db = openDb(`${cluster.url}/template_hub`, 2);
  const parts = { env: readEnv({}), metrics: createHubMetrics(), catalogue: new Map(), tracing: null };
  hub = createHub({ db, now: () => new Date(), secret: "", ...parts } as unknown as Omit<Hub, "services">);
  account = await createAccount(hub, { email: "flush@example.org" });
  await creditAccount(hub, account, { amount: 1_000n });
}, 60_000);
afterAll(async () => {
  await hub.db.close();
  await cluster.stop();
});

const chat = (): Generation => ({
  ...queuedGeneration(account, 100n),
  is_llm: true,
  status: "running",
  started_at: new Date(),
});
const accepted = async (...generations: Generation[]) => {
  for (const generation of generations) expect(await insertWithHold(hub, generation)).toBe("accepted");
};
const settlement = { to: "succeeded" as const, cost: 40n, attempts: [] };
const statusOf = async ({ id }: Generation) =>
  (await hub.db.query<{ status: string }>("SELECT status FROM generation WHERE id = $1", [id]))[0]?.status;
const funds = async () => (await hub.db.query("SELECT balance, reserved FROM account WHERE id = $1", [account]))[0];

test("a settled chat survives a crash of Postgres at once, and one without a response is lost entirely", async () => {
  const [settled, unreported] = [chat(), chat()];
  await accepted(settled);
  expect(await settleChat(hub, settled.id, settlement)).toBe(true);
  await accepted(unreported);
  expect(await statusOf(unreported)).toBe("running");
  await cluster.crash();
  expect(await statusOf(settled)).toBe("succeeded");
  expect(await statusOf(unreported)).toBeUndefined();
  expect(await funds()).toEqual({ balance: 960n, reserved: 0n });
  // The response of a lost chat is not returned.
  expect(await settleChat(hub, unreported.id, settlement)).toBe(false);
});

test("a chat whose response is replayed survives a crash although its first caller still waits", async () => {
  const idempotency = { key: "once", fingerprint: Buffer.alloc(32, 1) };
  const keyed = { ...chat(), idempotency_key: idempotency.key, fingerprint: idempotency.fingerprint };
  await accepted(keyed);
  const neverFlushes = deriveHub(hub, { db: { ...hub.db, query: () => new Promise<never>(() => undefined) } });
  // Two share a statement that does not wait for the disk.
  const shared = chat();
  await accepted(shared);
  for (const { id } of [keyed, shared]) void settleChat(neverFlushes, id, { ...settlement, cost: 0n, answer: "hello" });
  const ctx = { hub, account: { id: account } } as Ctx<Hub>;
  const readAnswer = async () => (await findReplayedChat(ctx, idempotency))?.answer;
  await expect.poll(() => readAnswer().catch(() => "still running")).toBe("hello");
  await cluster.crash();
  expect(await statusOf(keyed)).toBe("succeeded");
  expect(await readAnswer()).toBe("hello");
});

test("an accepted generation survives a crash, and so does everything committed before it", async () => {
  const [earlier, media] = [chat(), queuedGeneration(account, 100n)];
  await accepted(earlier, media);
  await cluster.crash();
  expect(await statusOf(earlier)).toBe("running");
  expect(await statusOf(media)).toBe("queued");
  expect(await funds()).toEqual({ balance: 960n, reserved: 200n });
});
