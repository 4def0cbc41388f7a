import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Queryable } from "../../server/db/client";
import { readMigrations } from "../../server/db/migrate";
import { type Audit, runAudit } from "../../server/domain/audit/audit";
import { advanceClosures } from "../../server/domain/closures/advance-closures";
import { describeClosure } from "../../server/domain/closures/closure";
import { erasePending } from "../../server/domain/closures/pending-erasure";
import { closeAccountByOperator, closeOwnAccount } from "../../server/domain/closures/request-closing";
import { requestPersonErasure } from "../../server/domain/closures/erase-person";
import { findKey } from "../../server/domain/credentials/authenticate";
import { expireFiles } from "../../server/domain/files/expire";
import { NEVER_EXPIRES } from "../../server/domain/files/never-expires";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { acceptUpload } from "../../server/domain/inputs/accept-upload";
import { createKey } from "../../server/domain/keys/create";
import { creditAccount } from "../../server/domain/ledger/credit";
import { createInvitationLink } from "../../server/domain/members/invitation";
import { addNote } from "../../server/domain/operations/account-record";
import { suspendAccount } from "../../server/domain/accounts/account";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { createAccount } from "../../server/domain/people/create-account";
import { startTopUp } from "../../server/domain/top-ups/top-up";
import { newId } from "../../server/lib/id";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import type { TestHub } from "../hub";
import { insertFile } from "../insert-file";
import { testOperator } from "../operator";
import { killableDb } from "../payments/killable-db";
import { entriesOf, payingHub, processPayments, sendEvent } from "../payments/paying-hub";
import { giveFactor, ownerSession } from "../session";
import { findText, keptColumns } from "./find-text";

const { hub, double } = await payingHub();
const DAY_MS = 86_400_000;
const EURO = 1_000_000_000n;

type Owner = Awaited<ReturnType<typeof newOwner>>;

/** Returns the procedures of the console for a new session of the account's owner. */
const signIn = async (id: number) =>
  createCallerFactory(root)({ hub, session: await ownerSession(hub, id), address: null });

/** Makes an account in which every text contains the canary. */
async function newOwner(canary: string) {
  const id = await createAccount(hub, { email: `${canary}@example.org`, verified: true });
  const ctx = await ownerSession(hub, id);
  const caller = createCallerFactory(root)({ hub, session: ctx, address: null });
  return { id, ctx, caller, canary };
}

async function fillAccount({ id, ctx, caller, canary }: Owner): Promise<string> {
  await creditAccount(hub, id, { amount: EURO });
  await caller.account.setName({ name: canary });
  await caller.budgets.create({ name: canary, amount: 10, window: "total", scope: { metadata: { team: canary } } });
  const { key } = await createKey(hub, id, { name: canary, metadata: { team: canary } });
  await hub.db.query(
    `INSERT INTO endpoint (id, account_id, position, url, events, secret, created_at)
     VALUES (gen_random_uuid(), $1, 1, $2, '{generation.completed}', '', now())`,
    [id, `https://${canary}.example.org/hook`],
  );
  await hub.db.query("UPDATE account SET follows_events = true WHERE id = $1", [id]);
  await createInvitationLink(ctx, "viewer");
  await giveFactor(hub, ctx.actor.person.id);
  await suspendAccount(hub, testOperator, { id, suspended: true, reason: `${canary} was seen` });
  await suspendAccount(hub, testOperator, { id, suspended: false });
  const operator = { ...testOperator, personId: ctx.actor.person.id };
  await addNote(hub, operator, id, `About ${canary}`);
  await acceptUpload(ctx, Readable.from([Buffer.from(canary)]), () => `${canary}.txt`);
  const generation = {
    ...queuedGeneration(id, 100n),
    input: { prompt: `a portrait of ${canary}` },
    metadata: { team: canary },
    end_user: canary,
    idempotency_key: canary,
    fingerprint: Buffer.alloc(32),
  };
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  await markRunning(hub, { generationId: generation.id, runId: "run" });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  return key;
}

/** Adds a character that was trained, whose output never expires, with the last state of its training. */
async function addReadyCharacter({ id, canary }: Owner): Promise<void> {
  const generation = queuedGeneration(id, 100n);
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  await markRunning(hub, { generationId: generation.id, runId: "training" });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  const [character] = await hub.db.query<{ id: number }>(
    `INSERT INTO character (account_id, name, base_model, images, parameters, created_at, updated_at)
     VALUES ($1, 'Ada', 'sandbox-trainer', '{}', '{}', now(), now()) RETURNING id`,
    [id],
  );
  await hub.db.query(
    `UPDATE generation SET character_id = $2, character_version = 0, provider = 'worker', checkpoint = to_json($3::text)
     WHERE id = $1`,
    [generation.id, character!.id, canary],
  );
  const file = await insertFile(hub, id, "weights");
  await hub.db.query(
    `WITH uncounted AS (UPDATE account SET upload_bytes = upload_bytes - 7 WHERE id = $3)
     UPDATE file SET generation_id = $2, index = 0, expires_at = '${NEVER_EXPIRES}' WHERE id = $1`,
    [file, generation.id, id],
  );
}

/** Runs the steps of the sweep three times, after which nothing changes any more. */
async function sweep(on: TestHub = hub): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await advanceClosures(on);
    await erasePending(on);
    await expireFiles(on, 1_000);
  }
}

async function pay({ ctx }: Owner, cents: number): Promise<string> {
  const before = double.events.length;
  await startTopUp(ctx, { amount: cents, savesMethod: false });
  const session = [...double.sessions.values()].at(-1)!;
  double.pay(session.id);
  for (const event of double.events.slice(before)) await sendEvent(hub, event);
  await processPayments(hub);
  return session.payment_intent!;
}

const stateOf = async ({ id }: Owner) => describeClosure(hub.db, id, hub.now());
const findCanary = async ({ canary }: Owner) =>
  (await findText(hub.db, canary)).filter((column) => !keptColumns.includes(column));

test("an owner closes the account, changes their mind, and closes it: money is refunded and nothing else is left", async () => {
  const owner = await newOwner(`canary${newId().slice(-8)}`);
  const neighbor = await newOwner(`neighbor${newId().slice(-8)}`);
  const [key, otherKey] = [await fillAccount(owner), await fillAccount(neighbor)];
  await pay(owner, 2_000);
  await owner.caller.account.close({ balance: "refund" });
  expect(await findKey(hub, key)).toBeNull();
  const caller = await signIn(owner.id);
  await expect(caller.keys.create({ name: "another" })).rejects.toThrow("This account is closing");
  expect(await caller.account.closing()).toMatchObject({ closing: { waits_for: [] }, refundable: 20 });
  await caller.account.keep();
  expect(await findKey(hub, key)).not.toBeNull();

  await owner.caller.account.close({ balance: "refund" });
  hub.clock.advance(13 * DAY_MS);
  await sweep();
  expect(await stateOf(owner)).toMatchObject({ closed_at: null, waits_for: [] });
  expect(await findCanary(owner)).not.toEqual([]);
  hub.clock.advance(2 * DAY_MS);
  await sweep();
  await processPayments(hub);
  await sweep();
  expect(await stateOf(owner)).toMatchObject({ erased_at: expect.any(String) as string });
  expect(await entriesOf(hub, owner.id)).toEqual([
    "credit 1",
    "charge -1e-7",
    "credit 20",
    "refund -20",
    "given_up -0.9999999",
  ]);
  expect([...double.refunds.values()].at(-1)).toMatchObject({ amount: 2_000, status: "succeeded" });
  expect(await findCanary(owner)).toEqual([]);
  expect(await findCanary(neighbor)).not.toEqual([]);
  expect(await findKey(hub, otherKey)).not.toBeNull();
  expect((await runAudit(hub.db)).violations).toEqual([]);
  // Somebody may sign up with the address again.
  expect(await createAccount(hub, { email: `${owner.canary}@example.org` })).toBeGreaterThan(owner.id);
});

test("closing needs a recent second factor, and an owner", async () => {
  const owner = await newOwner(`factor${newId().slice(-8)}`);
  await giveFactor(hub, owner.ctx.actor.person.id);
  const call = (changes: object) =>
    createCallerFactory(root)({
      hub,
      session: { ...owner.ctx, actor: { ...owner.ctx.actor, ...changes } },
      address: null,
    }).account.close({ balance: "give_up" });
  await expect(call({ provedAt: null })).rejects.toThrow("Confirm that it’s you");
  await expect(call({ person: { ...owner.ctx.actor.person, role: "developer" } })).rejects.toThrow("role");
  expect(await stateOf(owner)).toBeNull();
});

test("closing waits for running work, pending payments, disputes, debt and refunds that only the operator can make", async () => {
  const owner = await newOwner(`waits${newId().slice(-8)}`);
  await creditAccount(hub, owner.id, { amount: EURO });
  const intent = await pay(owner, 500);
  await startTopUp(owner.ctx, { amount: 700, savesMethod: false });
  const open = [...double.sessions.values()].at(-1)!;
  const generation = queuedGeneration(owner.id, 100n);
  await insertWithHold(hub, generation);
  await closeOwnAccount(owner.ctx, { balance: "refund" });
  // A request that was authenticated before the closing is accepted, and the closing waits for it.
  const late = queuedGeneration(owner.id, 100n);
  expect(await insertWithHold(hub, late)).toBe("accepted");
  const before = double.events.length;
  const dispute = double.dispute(intent, 500);
  for (const event of double.events.slice(before)) await sendEvent(hub, event);
  await processPayments(hub);
  hub.clock.advance(15 * DAY_MS);
  await sweep();
  expect((await stateOf(owner))!.waits_for).toEqual(["running_work", "pending_payments", "disputes"]);
  for (const { id } of [generation, late]) await finishGeneration(hub, { id, from: ["queued"], to: "canceled" });
  double.pay(open.id);
  double.closeDispute(dispute, true);
  for (const event of double.events.slice(before)) await sendEvent(hub, event);
  await processPayments(hub);
  await recordPayment(hub, testOperator, { accountId: owner.id, amount: 300, tax: 0, reference: newId(), note: null });
  await sweep();
  await processPayments(hub);
  await sweep();
  expect((await stateOf(owner))!.waits_for).toEqual(["refund_by_operator"]);
  await hub.db.query("UPDATE closure SET gives_up_balance = true WHERE account_id = $1", [owner.id]);
  await sweep();
  expect(await stateOf(owner)).toMatchObject({ erased_at: expect.any(String) as string });
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("closing waits until each dispute of a payment is closed, in whatever order and however often events arrive", async () => {
  const owner = await newOwner(`disputes${newId().slice(-8)}`);
  const intent = await pay(owner, 500);
  await closeOwnAccount(owner.ctx, { balance: "give_up" });
  const findWaits = async () => (await stateOf(owner))!.waits_for;
  const report = async (events: typeof double.events) => {
    for (const event of [...events, ...events]) await sendEvent(hub, event);
    await processPayments(hub);
  };
  const collect = (change: () => void) => {
    const before = double.events.length;
    change();
    return double.events.slice(before);
  };
  let [first, second] = ["", ""];
  const [created, withdrawn] = collect(() => void (first = double.dispute(intent, 100)));
  const secondOpened = collect(() => void (second = double.dispute(intent, 200)));
  // Without the event of the creation.
  await report([withdrawn!]);
  expect(await findWaits()).toEqual(["disputes"]);
  await report(collect(() => double.closeDispute(first, true)));
  expect(await findWaits()).toEqual([]);
  await report([created!]);
  expect(await findWaits()).toEqual([]);
  await report(secondOpened.reverse());
  expect(await findWaits()).toEqual(["disputes"]);
  await report(collect(() => double.closeDispute(second, false)));
  expect(await findWaits()).not.toContain("disputes");
});

test("an audit at any moment of a closing finds nothing wrong", async () => {
  const owner = await newOwner(`audited${newId().slice(-8)}`);
  await fillAccount(owner);
  await addReadyCharacter(owner);
  await closeAccountByOperator(hub, testOperator, { id: owner.id, balance: "give_up", days: 0 });
  hub.clock.advance(2 * 3_600_000);
  const audits: Audit[] = [];
  const query: Queryable["query"] = async (...statement) => {
    const rows = await hub.db.query(...statement);
    audits.push(await runAudit(hub.db));
    return rows as never;
  };
  await sweep(deriveHub(hub, { db: { ...hub.db, query } }));
  expect(audits.flatMap(({ violations }) => violations)).toEqual([]);
  expect(audits.length).toBeGreaterThan(20);
  expect(await stateOf(owner)).toMatchObject({ erased_at: expect.any(String) as string });
  expect(await findCanary(owner)).toEqual([]);
});

test("kill -9 between any two statements: the next sweep goes on, and nothing is erased before its tombstone", async () => {
  const owner = await newOwner(`killed${newId().slice(-8)}`);
  await fillAccount(owner);
  await closeAccountByOperator(hub, testOperator, { id: owner.id, balance: "give_up", days: 0 });
  hub.clock.advance(2 * 3_600_000);
  const isRecorded = async () => {
    for await (const { tombstones } of hub.tombstones.read())
      if (tombstones.some(({ kind, id }) => kind === "account" && id === String(owner.id))) return true;
    return false;
  };
  let kills = 0;
  for (let left = 1; !(await stateOf(owner))!.erased_at; left += 1) {
    const { db, kill } = killableDb(hub.db);
    kill.left = left;
    const killed = deriveHub(hub, { db });
    await advanceClosures(killed).catch(() => undefined);
    await erasePending(killed).catch(() => undefined);
    await expireFiles(hub, 1_000);
    const [key] = await hub.db.query<{ name: string }>("SELECT name FROM api_key WHERE account_id = $1", [owner.id]);
    if (key!.name === "(erased)") expect(await isRecorded()).toBe(true);
    kills += 1;
  }
  expect(kills).toBeGreaterThan(5);
  await sweep();
  expect(await findCanary(owner)).toEqual([]);
  expect((await entriesOf(hub, owner.id)).filter((entry) => entry.startsWith("given_up"))).toHaveLength(1);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a person is erased, but not the only owner of an account", async () => {
  const owner = await newOwner(`person${newId().slice(-8)}`);
  const email = `${owner.canary}@example.org`;
  await expect(requestPersonErasure(hub, testOperator, { email })).rejects.toThrow("only owner");
  const other = await newOwner(`keeper${newId().slice(-8)}`);
  await hub.db.query("INSERT INTO membership VALUES ($1, $2, 'owner', now())", [owner.id, other.ctx.actor.person.id]);
  await hub.db.query("UPDATE account SET email = $2 WHERE id = $1", [owner.id, `contact-${owner.id}@example.org`]);
  await requestPersonErasure(hub, testOperator, { email, reason: `${email} asked` });
  await erasePending(hub);
  expect(await findCanary(owner)).toEqual([]);
  await expect(owner.caller.account.list()).resolves.toEqual([]);
});

test("an upgrade corrects accounts that say they have budgets, which were erased", async () => {
  const owner = await newOwner(`upgraded${newId().slice(-8)}`);
  await fillAccount(await newOwner(`open${newId().slice(-8)}`));
  await hub.db.query("UPDATE account SET has_budgets = true WHERE id = $1", [owner.id]);
  expect((await runAudit(hub.db)).violations).toMatchObject([{ subject: `account ${owner.id}` }]);
  const migrations = await readMigrations("prisma/migrations");
  const migration = migrations.find(({ name }) => name.endsWith("_closed_accounts_without_budgets"))!;
  await hub.db.query(migration.sql);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
