import { expect, test } from "vitest";
import { contextOf, type Metadata } from "../../server/context";
import { raiseAlerts } from "../../server/domain/alerts";
import { runAudit } from "../../server/domain/audit/audit";
import { purgeBudgetWindows } from "../../server/domain/budgets";
import { createBudget } from "../../server/domain/budgets/change-budget";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { eraseContent } from "../../server/domain/erasure";
import { eraseDue } from "../../server/domain/erasure/erase-due";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { hashEndUser, openEndUserKey } from "../../server/domain/labels";
import { reencryptSecrets } from "../../server/domain/operations/reencrypt-secrets";
import { changeRetention } from "../../server/domain/retention";
import { rollUpUsage, setUsageMetadata } from "../../server/domain/usage";
import { newId } from "../../server/lib/id";
import { toEuros } from "../../server/lib/money";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";
import { testOperator } from "../operator";
import { soakCount } from "../soak";
import { findText } from "./find-text";

const DAY_MS = 86_400_000;
const COST = 10_000_000n;

const hub = await testHub({ BASE_URL: "http://localhost:3000", OUTBOUND_ALLOW_HOSTS: "127.0.0.1:9" });

/** Opens an account whose end users may spend on `count` generations a day each, with an endpoint that gets its alerts. */
async function openAccount(count: number) {
  const { account: id, email, keyId } = await newCustomer(hub, { credit: 100 });
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  await createEndpoint(ctx, { url: "https://127.0.0.1:9/hook", events: ["budget.threshold"] });
  const request = {
    name: "users",
    amount: toEuros(COST) * count,
    window: "day" as const,
    scope: { each_end_user: true as const },
  };
  await hub.db.transaction((tx) => createBudget(tx, ctx, request));
  const hold = async (endUser: string, metadata: Metadata | null = null) => {
    const now = hub.now();
    const generation = {
      ...queuedGeneration(id, COST),
      id: newId(),
      key_id: keyId,
      end_user: endUser,
      metadata,
      created_at: now,
    };
    const started = { status: "running" as const, is_llm: true, started_at: now, deadline_at: now };
    const end_user_hash = hashEndUser(hub, id, endUser);
    return { id: generation.id, result: await insertWithHold(hub, { ...generation, ...started, end_user_hash }) };
  };
  const end = (generation: string) =>
    finishGeneration(hub, { id: generation, from: ["running"], to: "succeeded", cost: COST });
  return { id, ctx, hold, end };
}

const readRows = (account: number) =>
  hub.db.query<{ reserved: bigint; charged: bigint }>(
    "SELECT s.reserved, s.charged FROM budget_spending s JOIN budget b ON b.id = s.budget_id WHERE b.account_id = $1",
    [account],
  );
const readAlerts = (account: number) =>
  hub.db.query<{ end_user: string | null }>(
    "SELECT data::json ->> 'end_user' AS end_user FROM event WHERE account_id = $1 AND name = 'budget.threshold'",
    [account],
  );

const readUsers = (account: number) =>
  hub.db.query<{ value: string; generations: bigint }>(
    "SELECT value, generations FROM usage_label_sum WHERE account_id = $1 AND label_id = 0 AND grain = 'day'",
    [account],
  );
const readMetadata = (account: number, grain: string) =>
  hub.db.query<{ value: string; generations: bigint }>(
    "SELECT value, generations FROM usage_label_sum WHERE account_id = $1 AND label_id > 0 AND grain = $2 ORDER BY value",
    [account, grain],
  );

async function raise(): Promise<void> {
  hub.clock.advance(60_000);
  await raiseAlerts(hub);
}

test("an end user who was erased is found nowhere, and still counts until the window ends", async () => {
  const canary = "canaryuser4711";
  const account = await openAccount(2);
  const held = [await account.hold(canary), await account.hold(canary)];
  expect((await account.hold(canary)).result).toBe("insufficient_credits");
  for (const { id } of held) await account.end(id);
  await raise();
  expect(await readAlerts(account.id)).toEqual([{ end_user: canary }]);
  await rollUpUsage(hub, 10_000);
  expect(await readUsers(account.id)).toEqual([{ value: canary, generations: 2n }]);

  await eraseContent(hub, [held[0]!.id]);
  expect(await readUsers(account.id)).toEqual([{ value: canary, generations: 2n }]);
  await eraseContent(hub, held.map(({ id }) => id)); // prettier-ignore
  expect(await readUsers(account.id)).toEqual([{ value: "(erased)", generations: 2n }]);
  expect(await findText(hub, canary)).toEqual([]);
  expect(await readAlerts(account.id)).toEqual([{ end_user: null }]);
  expect((await account.hold(canary)).result).toBe("insufficient_credits");
  expect((await account.hold("somebody else")).result).toBe("accepted");
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);

  hub.clock.advance(2 * DAY_MS);
  while ((await purgeBudgetWindows(hub, 100)) > 0);
  expect(await readRows(account.id)).toEqual([]);
  expect((await account.hold(canary)).result).toBe("accepted");
});

test("a value of metadata leaves usage with the last generation of a month that has it", async () => {
  const account = await openAccount(10);
  const { ctx } = account;
  await setUsageMetadata(ctx, ["customer"]);
  hub.clock.advance(2 * DAY_MS);
  const run = async (metadata: Metadata) => {
    const { id } = await account.hold("ann", metadata);
    await account.end(id);
    return id;
  };
  const [first, second] = [await run({ customer: "acme", run: "1" }), await run({ customer: "acme", run: "2" })];
  await run({ customer: "other" });
  await rollUpUsage(hub, 10_000);
  const named = [
    { value: "acme", generations: 2n },
    { value: "other", generations: 1n },
  ];
  await eraseContent(hub, [first]);
  expect(await readMetadata(account.id, "day")).toEqual(named);
  await eraseContent(hub, [second]);
  for (const grain of ["day", "month"])
    expect(await readMetadata(account.id, grain)).toEqual([{ value: "(erased)", generations: 2n }, named[1]]);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});

test("labels that go by their age leave the count, and no name in an alert", async () => {
  const account = await openAccount(1);
  const { id } = await account.hold("ann");
  await account.end(id);
  await raise();
  expect(await readAlerts(account.id)).toEqual([{ end_user: "ann" }]);
  await changeRetention(hub, account.id, { label_days: 1 });
  hub.clock.advance(DAY_MS + 60_000);
  while ((await eraseDue(hub)) > 0);
  expect(await readAlerts(account.id)).toEqual([{ end_user: null }]);
  expect(await readRows(account.id)).toEqual([{ reserved: 0n, charged: COST }]);
});

test("no erasure beside holds and settlements gives an end user more than the budget", async () => {
  for (let round = 0; round < soakCount(5, 200); round += 1) {
    const account = await openAccount(4);
    const [ended, running] = [await account.hold("ann"), await account.hold("ann")];
    await account.end(ended.id);
    const [, , ...results] = await Promise.all([
      eraseContent(hub, [ended.id, running.id]),
      account.end(running.id),
      ...Array.from({ length: 4 }, () => account.hold("ann")),
    ]);
    expect(results.map(({ result }) => result).sort()).toEqual([
      "accepted",
      "accepted",
      "insufficient_credits",
      "insufficient_credits",
    ]);
    expect(await readRows(account.id)).toEqual([{ reserved: 2n * COST, charged: 2n * COST }]);
  }
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});

test("an end user is counted on under another HUB_SECRET", async () => {
  const secret = "another secret of at least thirty-two characters";
  const both = deriveHub(hub, { secret, previousSecret: hub.secret });
  expect(await openEndUserKey(both)).toEqual(hub.endUserKey);
  await reencryptSecrets(both, testOperator);
  expect(await openEndUserKey(deriveHub(hub, { secret, previousSecret: undefined }))).toEqual(hub.endUserKey);
  // Without the secret that encrypted the key, all processes start over with one new key.
  const lost = deriveHub(hub, {
    secret: "a third secret of at least thirty-two characters",
    previousSecret: undefined,
  });
  expect(await openEndUserKey(lost)).toEqual(await openEndUserKey(lost));
  expect(await openEndUserKey(lost)).not.toEqual(hub.endUserKey);
});
