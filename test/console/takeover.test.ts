import type { Hub } from "@/server/domain/hub";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createCharacter } from "@/server/domain/characters/edit-character";
import { contextOf, type Ctx } from "@/server/context";
import type { Queryable } from "@/server/db/client";
import { startCharacter } from "@/server/domain/characters/training";
import { createAccount } from "@/server/domain/people/create-account";
import { hashToken } from "@/server/domain/passwords/request-reset";
import { resetPassword } from "@/server/domain/recovery/reset-password";
import { exchangeCode } from "@/server/domain/connections/exchange-code";
import { runAudit } from "@/server/domain/audit/audit";
import { insertManyWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { markRunning } from "@/server/domain/generations/run/mark-running";
import { findKey } from "@/server/domain/credentials/authenticate";
import { createKey } from "@/server/domain/keys/create";
import { creditAccount } from "@/server/domain/ledger/credit";
import { resolveSession } from "@/server/domain/sessions/resolve-session";
import { attemptDelivery } from "@/server/domain/deliveries/attempt";
import { createEndpoint } from "@/server/domain/endpoints/create";
import { sendTest } from "@/server/domain/deliveries/send-test";
import { recordHeartbeat } from "@/server/domain/workers/lease";
import { leaseNextJob, type LeasedJob } from "@/server/domain/generations/run/lease";
import { newId } from "@/server/lib/id";
import { queuedGeneration, waitingGeneration } from "../generation-fixture";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { newSession, ownerSession } from "../session";
import { allowApp } from "../mcp/connect-app";
import { makePng } from "../media/png";
import { WAIT } from "../wait";
import { addGpuModels, newWorker } from "../workers/test-workers";
import { openReceiver } from "../webhooks/receiver";

const receiver = await openReceiver();
const hub = await testHub({ OUTBOUND_ALLOW_HOSTS: receiver.host });
addGpuModels(hub);
const worker = await newWorker(hub);
const ESTIMATE = 1_000_000_000n;

/** Signs up with another person's address, and creates everything that acts or sends without a person. */
async function createAttacker() {
  const email = `${newId()}@example.org`;
  const id = await createAccount(hub, { email });
  await creditAccount(hub, id, { amount: 100n * ESTIMATE });
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  const { key } = await createKey(hub, id, { name: "squatter" });
  const signedIn = await ownerSession(hub, id);
  const session = signedIn.actor.sessionId;
  const code = await allowApp(hub, signedIn);
  await hub.db.query(
    `WITH customer AS (
       INSERT INTO payment_customer (account_id, provider, customer_ref, method_ref, method_label, created_at)
       VALUES ($1, 'stripe', $2, 'pm_1', 'Visa', $3))
     INSERT INTO automatic_top_up (account_id, state, threshold, target, monthly_cap, person_id, changed_at)
     SELECT $1, 'on', 100, 1000, 10000, person_id, $3 FROM membership WHERE account_id = $1`,
    [id, `cus_${id}`, hub.now()],
  );
  const { endpoint } = await createEndpoint(ctx, { url: receiver.url, events: ["generation.completed"] });
  const delivery = await sendTest(ctx, endpoint.id);
  await hub.db.query(
    "INSERT INTO identity (provider, subject, person_id, created_at) SELECT 'oidc', email, id, now() FROM person WHERE email = $1",
    [email],
  );
  return { id, email, ctx, key, signedIn, session, code, delivery, generations: await newGenerations(ctx) };
}

/** Lets a worker take this job, after any that other tests have left. */
async function claimTestJob(id: string): Promise<LeasedJob> {
  for (;;) {
    const taken = (await leaseNextJob(hub, worker, ["gpu-a"]))!;
    if (taken.id === id) return taken;
  }
}

/** One generation in each state that a reset finds. */
async function newGenerations(ctx: Ctx<Hub>) {
  const { id } = ctx.account;
  const gpu = { model: "gpu-a", provider: "worker", price: { price_per_second: 0.0008, most_seconds: 1_800 } };
  const leased = { ...queuedGeneration(id, ESTIMATE), ...gpu };
  await insertManyWithHold(hub.db, [leased]);
  const taken = await claimTestJob(leased.id);
  hub.clock.advance(5_000);
  await recordHeartbeat(hub, worker, taken.lease_id, { fence: taken.fence, gpu_ms: 1_000 });
  const atProvider = queuedGeneration(id, ESTIMATE);
  const queued = queuedGeneration(id, ESTIMATE);
  const job = { ...queuedGeneration(id, ESTIMATE), ...gpu };
  const waiting = waitingGeneration(id, ESTIMATE, [newId()], new Date(hub.now().getTime() + 60_000));
  await insertManyWithHold(hub.db, [atProvider, queued, job, waiting]);
  await markRunning(hub, { generationId: atProvider.id, runId: newId() });
  const file = await insertFile(hub, id, await makePng("#c02020"));
  const images = [`${hub.env.BASE_URL}/api/v1/hub/files/${file}`];
  const { id: character } = await createCharacter(ctx, {
    name: "Ada",
    base_model: "sandbox-trainer",
    images,
    trigger_word: null,
    parameters: {},
  });
  const { generation_id: training } = await startCharacter(ctx, String(character), {});
  return {
    leased: leased.id,
    atProvider: atProvider.id,
    queued: queued.id,
    job: job.id,
    waiting: waiting.id,
    training,
  };
}

let count = 0;
async function newLink(accountId: number): Promise<string> {
  const token = `link-${(count += 1)}`;
  await hub.db.query(
    `INSERT INTO password_reset (person_id, hash, created_at, expires_at)
    SELECT person_id, $2, $3, $4 FROM membership WHERE account_id = $1`,
    [accountId, hashToken(token), hub.now(), new Date(hub.now().getTime() + 3_600_000)],
  );
  return token;
}
const reset = (on: Hub, token: string) => resetPassword(on, { token, password: "the owner's own" }, null);

const statusesOf = async (ids: Record<string, string | null>) => {
  const rows = await hub.db.query<{ id: string; status: string }>(
    "SELECT id, status FROM generation WHERE id = ANY ($1::uuid[])",
    [Object.values(ids)],
  );
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, rows.find((row) => row.id === id)?.status]));
};
const seconds = () => Math.floor(hub.now().getTime() / 1000);

/** Everything by which a squatter could still act or send. */
async function stateOf({ id, key, session, code, delivery, generations }: Awaited<ReturnType<typeof createAttacker>>) {
  const before = receiver.received.length;
  await attemptDelivery(hub, { id: delivery.id, round: 1, lane: "test" });
  return {
    key: (await findKey(hub, key))?.rejection === null,
    code: await exchangeCode(hub, code).then(
      () => true,
      () => false,
    ),
    payment: (await hub.db.query("SELECT FROM payment_customer WHERE account_id = $1", [id])).length > 0,
    topUp: (await hub.db.query("SELECT FROM automatic_top_up WHERE account_id = $1", [id])).length > 0,
    session: (await resolveSession(hub, { sessionId: session, began: seconds(), seen: seconds() })) !== null,
    identities: (
      await hub.db.query("SELECT FROM identity JOIN membership USING (person_id) WHERE membership.account_id = $1", [
        id,
      ])
    ).length,
    webhooks: (await hub.db.query("SELECT FROM endpoint WHERE account_id = $1 AND revoked_at IS NULL", [id])).length,
    sent: receiver.received.length - before,
    statuses: await statusesOf(generations),
  };
}
const gone = "canceled";
const nothing = {
  key: false,
  code: false,
  payment: false,
  topUp: false,
  session: false,
  identities: 0,
  webhooks: 0,
  sent: 0,
  statuses: { leased: gone, atProvider: "running", queued: gone, job: gone, waiting: gone, training: gone },
};

test("drops what the attacker requested and would outlive the reset", async () => {
  const { id, email } = await createAttacker();
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const session = { kind: "user", sessionId: await newSession(hub, id) } as const;
  const { actor: key } = (await findKey(hub, (await createKey(hub, id, { name: "x" })).key))!;
  const webhook = { url: receiver.url, events: ["generation.completed" as const] };
  const late = [
    () => createKey(hub, id, { name: "late" }, session),
    () => createEndpoint(contextOf(hub, account, session, "test"), webhook),
    () => createEndpoint(contextOf(hub, account, key, "test"), webhook),
  ];
  for (const exercise of late) await exercise();
  await reset(hub, await newLink(id));
  for (const exercise of late) await expect(exercise()).rejects.toMatchObject({ code: "unauthorized" });
});

beforeEach(() => void receiver.received.splice(0));
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the first reset ends everything that acts or sends for the account, and settles it", async () => {
  const attacker = await createAttacker();
  expect(await reset(hub, await newLink(attacker.id))).toEqual({
    email: attacker.email,
    revokedKeys: 1,
    revokedWebhooks: 1,
    canceledGenerations: 5,
  });
  expect(await stateOf(attacker)).toEqual(nothing);
  const [account] = await hub.db.query<{ reserved: bigint }>("SELECT reserved FROM account WHERE id = $1", [
    attacker.id,
  ]);
  expect(account!.reserved).toBe(ESTIMATE);
  const [billed] = await hub.db.query<{ billed_cost: bigint }>("SELECT billed_cost FROM generation WHERE id = $1", [
    attacker.generations.leased,
  ]);
  expect(billed!.billed_cost).toBeGreaterThan(0n);
  const pending =
    "SELECT FROM delivery d JOIN endpoint e ON e.id = d.endpoint_id WHERE e.account_id = $1 AND d.state = 'pending'";
  expect(await hub.db.query(pending, [attacker.id])).toEqual([]);
});

test("a later reset of the same account keeps its work", async () => {
  const owner = await createAttacker();
  await hub.db.query("UPDATE person SET email_verified_at = $2 WHERE email = $1", [owner.email, hub.now()]);
  expect(await reset(hub, await newLink(owner.id))).toMatchObject({ revokedKeys: 0, canceledGenerations: 0 });
  // Her password may have been known to others, and with it her codes.
  expect(await stateOf(owner)).toMatchObject({ key: true, code: false, payment: true, topUp: true, session: false });
  expect(await stateOf(owner)).toMatchObject({ identities: 1, webhooks: 1 });
  expect(await statusesOf(owner.generations)).toMatchObject({
    queued: "queued",
    training: "queued",
    leased: "running",
  });
});

/** Returns the hub of a process that dies right after the `nth` statement of a reset, counted from 1. */
function crashingAfter(nth: number): { on: Hub; died: () => boolean } {
  let left = nth;
  const crashOn = (db: Queryable): Queryable => ({
    async query(text, values) {
      if (left <= 0) throw new Error("killed");
      left -= 1;
      return db.query(text, values);
    },
  });
  const db = { ...hub.db, ...crashOn(hub.db), ledgerConnection: crashOn(hub.db.ledgerConnection) };
  db.transaction = (work) =>
    hub.db.transaction(async (tx) => {
      const result = await work(crashOn(tx));
      if (left <= 0) throw new Error("killed");
      return result;
    });
  return { on: deriveHub(hub, { db }), died: () => left <= 0 };
}

test("a reset killed after any statement has happened completely or not at all", async () => {
  for (let nth = 1; ; nth += 1) {
    const attacker = await createAttacker();
    const link = await newLink(attacker.id);
    const { on, died } = crashingAfter(nth);
    await reset(on, link).catch((error: Error) => expect(error.message).toBe("killed"));
    const isDone =
      (
        await hub.db.query("SELECT FROM password_reset JOIN person ON id = person_id WHERE email = $1", [
          attacker.email,
        ])
      ).length === 0;
    if (!isDone) {
      expect(await findKey(hub, attacker.key)).toMatchObject({ rejection: null });
      expect(await statusesOf(attacker.generations)).toMatchObject({ queued: "queued", waiting: "awaiting_supply" });
      await reset(hub, link);
    }
    expect({ nth, ...(await stateOf(attacker)) }).toEqual({ nth, ...nothing });
    if (!died()) break;
    expect(nth).toBeLessThan(40);
  }
});

/** Returns a hub on which `exercise` runs right before the `nth` statement of the first try of a reset. */
function runBeforeStatement(nth: number, exercise: () => Promise<void>): Hub {
  let left = nth;
  const transaction: typeof hub.db.transaction = (work) =>
    hub.db.transaction((tx) =>
      work({
        async query(text, values) {
          left -= 1;
          if (left === 0) await exercise();
          return tx.query(text, values);
        },
      }),
    );
  return deriveHub(hub, { db: { ...hub.db, transaction } });
}

/** Creates keys, connections and webhooks at once, by a session and by a key. Returns how each ended. */
async function createLate({ id, ctx, key, signedIn }: Awaited<ReturnType<typeof createAttacker>>) {
  const webhook = { url: receiver.url, events: ["generation.completed" as const] };
  const byKey = contextOf(hub, ctx.account, (await findKey(hub, key))!.actor, "test");
  const begun = [
    createKey(hub, id, { name: "late" }, signedIn.actor),
    createEndpoint(signedIn, webhook),
    createEndpoint(byKey, webhook),
    allowApp(hub, signedIn),
  ] as const;
  return Promise.allSettled(begun);
}

/** Resolves once the work is done, or what is left of it waits for a lock. */
async function untilBlocked(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.then(() => (isDone = true));
  await vi.waitFor(async () => {
    if (!isDone && (await hub.db.query(BLOCKED)).length === 0) throw new Error("still running");
  }, WAIT);
}
const BLOCKED = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])("ends what is created before statement %i of the reset", async (nth) => {
  const attacker = await createAttacker();
  const late = queuedGeneration(attacker.id, ESTIMATE);
  let created: ReturnType<typeof createLate> | undefined;
  const runBetween = async () => {
    await insertManyWithHold(hub.db, [late]);
    await claimTestJob(attacker.generations.job);
    created = createLate(attacker);
    await untilBlocked(created);
  };
  await reset(runBeforeStatement(nth, runBetween), await newLink(attacker.id));
  const [key, , , code] = (await created)!;
  if (key.status === "fulfilled") expect(await findKey(hub, key.value.key)).toMatchObject({ rejection: "revoked" });
  if (code.status === "fulfilled")
    await expect(exchangeCode(hub, code.value)).rejects.toThrow("unknown, used, expired");
  expect(await stateOf(attacker)).toEqual(nothing);
  expect(await statusesOf({ late: late.id })).toEqual({ late: gone });
});
