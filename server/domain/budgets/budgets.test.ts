import { expect, test } from "vitest";
import { type Customer, newCustomer } from "../../../test/api/customer";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { soakCount } from "../../../test/soak";
import { contextOf } from "../../context";
import { newId } from "../../lib/id";
import { runAudit } from "../audit/audit";
import { findKey } from "../credentials/authenticate";
import { settleChat } from "../generations/end/settle-chat";
import { finishGeneration } from "../generations/end/finish";
import { hashEndUser } from "../labels";
import { insertManyWithHold, insertWithHold } from "../generations/intake/insert-with-hold";
import { listBudgets } from "./budget";
import { changeBudget, createBudget, removeBudget } from "./change-budget";
import type { BudgetChange, BudgetRequest } from "./input";
import { purgeBudgetWindows } from "./purge";

const hub = await testHub();
const COST = 10_000_000n;
const HOUR_MS = 3_600_000;

const contextFor = ({ account, email }: Customer) =>
  contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
const create = (owner: Customer, request: Partial<BudgetRequest>) =>
  hub.db.transaction((tx) =>
    createBudget(tx, contextFor(owner), {
      name: "test",
      amount: 0.01,
      window: "day",
      scope: { keys: [owner.keyId] },
      ...request,
    }),
  );
const change = (owner: Customer, id: string, request: BudgetChange) =>
  hub.db.transaction((tx) => changeBudget(tx, contextFor(owner), id, request));
const remove = (owner: Customer, id: string) => hub.db.transaction((tx) => removeBudget(tx, contextFor(owner), id));
const spentOf = async (owner: Customer) => (await listBudgets(contextFor(owner))).map(({ spent }) => spent);

const by = (
  { account, keyId }: Customer,
  { end_user = null, ...members }: { end_user?: string | null } & object = {},
) => ({
  ...queuedGeneration(account, COST),
  key_id: keyId,
  created_at: hub.now(),
  end_user,
  end_user_hash: end_user === null ? null : hashEndUser(hub, account, end_user),
  ...members,
});
const startedIn = () => ({
  status: "running" as const,
  is_llm: true,
  started_at: hub.now(),
  deadline_at: hub.now(),
});
const lookUp = async ({ key }: Customer) => (await findKey(hub, key))!.account.limits;
/** Holds as a request does, which has looked up its key. */
const hold = async (owner: Customer, members?: object) =>
  insertWithHold(hub, { limits: await lookUp(owner), ...by(owner, members) });
/** Holds for a chat and returns its id. */
async function start(owner: Customer, members: object = {}): Promise<string> {
  const id = newId();
  expect(await hold(owner, { id, ...startedIn(), ...members })).toBe("accepted");
  return id;
}
const end = (id: string, cost: bigint) => finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost });
const expectNoViolations = async () => expect((await runAudit(hub.db)).violations).toEqual([]);

test("of 100 concurrent requests on the last cent, exactly one is accepted", async () => {
  for (let round = 0; round < soakCount(3, 200); round += 1) {
    const owner = await newCustomer(hub);
    await create(owner, {});
    const results = await Promise.all(Array.from({ length: 100 }, () => hold(owner)));
    expect(results.filter((result) => result === "accepted")).toHaveLength(1);
    expect(results.filter((result) => result === "insufficient_credits")).toHaveLength(99);
    expect(await spentOf(owner)).toEqual([COST]);
  }
  await expectNoViolations();
});

test("the constraint decides between concurrent statements, and nothing is held for the rejected one", async () => {
  const owner = await newCustomer(hub);
  await create(owner, {});
  // Both statements take their snapshots before either of them writes.
  const blocker = await hub.db.pool.connect();
  try {
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [owner.account]);
    const both = [insertManyWithHold(hub.db, [by(owner)]), insertManyWithHold(hub.db, [by(owner)])];
    const waiting = () =>
      hub.db
        .query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
        .then(({ length }) => length);
    await expect.poll(waiting).toBe(2);
    await blocker.query("COMMIT");
    expect((await Promise.all(both)).flat().sort()).toEqual(["accepted", "insufficient_credits"]);
  } finally {
    blocker.release();
  }
  expect(await spentOf(owner)).toEqual([COST]);
  await expectNoViolations();
});

test.each([
  ["hour", "2026-03-29T13:59:59.999Z", "2026-03-29T14:00:00.000Z"],
  ["day", "2026-03-29T23:59:59.999Z", "2026-03-30T00:00:00.000Z"],
  // A Sunday and a Monday, between which clocks in Europe change.
  ["week", "2026-03-29T23:59:59.999Z", "2026-03-30T00:00:00.000Z"],
  ["month", "2026-03-31T23:59:59.999Z", "2026-04-01T00:00:00.000Z"],
] as const)("a generation counts in the %s of its hold, even if it settles later", async (window, last, first) => {
  const owner = await newCustomer(hub);
  await create(owner, { window });
  const late = await start(owner, { created_at: new Date(last) });
  expect(await hold(owner, { created_at: new Date(last) })).toBe("insufficient_credits");
  const early = await start(owner, { created_at: new Date(first) });
  expect(await hold(owner, { created_at: new Date(first) })).toBe("insufficient_credits");
  await end(late, 4n);
  await end(early, 3n);
  const rows = await hub.db.query(
    "SELECT reserved, charged FROM budget_spending s JOIN budget b ON b.id = s.budget_id WHERE account_id = $1 ORDER BY starts_at",
    [owner.account],
  );
  expect(rows).toEqual([
    { reserved: 0n, charged: 4n },
    { reserved: 0n, charged: 3n },
  ]);
  await expectNoViolations();
});

test("a budget that never resets counts everything", async () => {
  const owner = await newCustomer(hub);
  await create(owner, { window: "total" });
  await end(await start(owner, { created_at: new Date("2020-01-01T00:00:00Z") }), COST);
  expect(await hold(owner)).toBe("insufficient_credits");
  await expectNoViolations();
});

test("a new budget begins with what its window has spent and holds", async () => {
  const owner = await newCustomer(hub);
  const ended = await start(owner, { metadata: { team: "blue" } });
  await end(ended, 1_000n);
  const open = await start(owner, { metadata: { team: "blue", run: "7" } });
  await start(owner, { metadata: { team: "red" } });
  await end(await start(owner, { created_at: new Date(hub.now().getTime() - 8 * 24 * HOUR_MS) }), 5n);
  await create(owner, { scope: { metadata: { team: "blue" } }, window: "week" });
  expect(await spentOf(owner)).toEqual([1_000n + COST]);
  await expectNoViolations();
  await end(open, 500n);
  expect(await spentOf(owner)).toEqual([1_500n]);
  await expectNoViolations();
});

test("a scope covers its keys, a member's work, all of its pairs, or each end user by itself", async () => {
  const owner = await newCustomer(hub);
  const [{ id: member }] = (await hub.db.query<{ id: number }>(
    "SELECT person_id AS id FROM membership WHERE account_id = $1",
    [owner.account],
  )) as [{ id: number }];
  await create(owner, { name: "keys", amount: 1, scope: { keys: [owner.keyId] } });
  await create(owner, { name: "member", amount: 1, scope: { member } });
  await create(owner, { name: "pairs", amount: 1, scope: { metadata: { team: "blue", app: "web" } } });
  await create(owner, { name: "users", amount: 0.02, scope: { each_end_user: true } });
  await hold(owner, { metadata: { team: "blue" } });
  await hold(owner, { metadata: { team: "blue", app: "web", run: "1" } });
  await hold(owner, { key_id: null, person_id: member });
  await hub.db.query("UPDATE api_key SET person_id = $2 WHERE id = $1", [owner.keyId, member]);
  await hold(owner);
  for (const end_user of ["ann", "ann", "bob"]) expect(await hold(owner, { end_user })).toBe("accepted");
  expect(await hold(owner, { end_user: "ann" })).toBe("insufficient_credits");
  expect(await hold(owner, { end_user: "bob" })).toBe("accepted");
  // Both end users have spent two estimates now; their budget does not cover requests without an end user.
  expect(await hold(owner)).toBe("accepted");
  expect(await spentOf(owner)).toEqual([8n * COST, 7n * COST, COST, 2n * COST]);
  await expectNoViolations();
});

test("an amount below what is spent rejects new work alone, and a higher one accepts it", async () => {
  const owner = await newCustomer(hub);
  const { id } = await create(owner, { amount: 0.1 });
  const [first, second] = [await start(owner), await start(owner)];
  await change(owner, id, { amount: 0.005 });
  expect(await hold(owner)).toBe("insufficient_credits");
  await end(first, COST);
  await end(second, 1n);
  expect(await spentOf(owner)).toEqual([COST + 1n]);
  await change(owner, id, { amount: 0.03, name: "more" });
  expect([await hold(owner), await hold(owner)]).toEqual(["accepted", "insufficient_credits"]);
  await expectNoViolations();
});

test("what is held settles in the rows of its hold after its budget has changed", async () => {
  const owner = await newCustomer(hub);
  const { id } = await create(owner, { amount: 1 });
  const other = await create(owner, { amount: 1, scope: { each_end_user: true } });
  const [first, second, third] = [await start(owner, { end_user: "ann" }), await start(owner), await start(owner)];
  await change(owner, id, { window: "month" });
  await end(first, 100n);
  expect(await spentOf(owner)).toEqual([2n * COST + 100n, 100n]);
  await hub.db.query('UPDATE generation SET metadata = \'{"team":"blue"}\' WHERE id = $1', [second]);
  await change(owner, id, { scope: { metadata: { team: "blue" } } });
  expect(await spentOf(owner)).toEqual([COST, 100n]);
  await end(second, 200n);
  await end(third, 300n);
  expect(await spentOf(owner)).toEqual([200n, 100n]);
  await expectNoViolations();
  const fourth = await start(owner, { metadata: { team: "blue" }, end_user: "ann" });
  await remove(owner, id);
  await remove(owner, other.id);
  await end(fourth, 400n);
  expect(await spentOf(owner)).toEqual([]);
  await expectNoViolations();
});

test("budgets that change while requests are held and settled stay exact", async () => {
  const owner = await newCustomer(hub, { credit: 100 });
  const { id } = await create(owner, { amount: 1 });
  const scopes = [{ keys: [owner.keyId] }, { metadata: { team: "blue" } }, { each_end_user: true as const }];
  const work = async () => {
    const limits = await lookUp(owner);
    const id = await start(owner, { limits, metadata: { team: "blue" }, end_user: "ann" });
    expect(await settleChat(hub, id, { to: "succeeded", cost: 7n, attempts: [], limits })).toBe(true);
  };
  for (let round = 0; round < soakCount(8, 200); round += 1) {
    await Promise.all([
      ...Array.from({ length: 10 }, work),
      change(owner, id, { scope: scopes[round % scopes.length] }),
      change(owner, id, { amount: (100 + round) / 100 }),
    ]);
  }
  const [{ settled }] = (await hub.db.query(
    "SELECT count(*)::int AS settled FROM generation WHERE account_id = $1 AND settled_at IS NOT NULL",
    [owner.account],
  )) as [{ settled: number }];
  expect(settled).toBe(soakCount(8, 200) * 10);
  expect(await spentOf(owner)).toEqual([BigInt(settled) * 7n]);
  await expectNoViolations();
});

test("a budget that was created between lookup and hold counts", async () => {
  const owner = await newCustomer(hub);
  const limits = await lookUp(owner);
  expect(limits).toEqual({ version: 0, hasBudgets: false });
  const { id } = await create(owner, {});
  expect(await lookUp(owner)).toEqual({ version: 1, hasBudgets: true });
  expect([await hold(owner, { limits }), await hold(owner, { limits })]).toEqual(["accepted", "insufficient_credits"]);
  await remove(owner, id);
  expect(await lookUp(owner)).toEqual({ version: 2, hasBudgets: false });
});

test("a window is purged after its end, or a day later if it holds something, which still settles", async () => {
  const owner = await newCustomer(hub);
  for (let purged = 1; purged > 0;) purged = await purgeBudgetWindows(hub, 100);
  const ago = (hours: number) => new Date(hub.now().getTime() - hours * HOUR_MS);
  await create(owner, { window: "hour", amount: 1, scope: { each_end_user: true } });
  const open = await start(owner, { created_at: ago(50 * 24), end_user: "ann" });
  await start(owner, { created_at: ago(50 * 24), end_user: "bob" });
  await start(owner, { created_at: ago(2), end_user: "ann" });
  await end(await start(owner, { created_at: ago(2), end_user: "bob" }), 1n);
  await start(owner, { end_user: "ann" });
  const purge = (limit: number) => purgeBudgetWindows(hub, limit);
  expect([await purge(1), await purge(9), await purge(9)]).toEqual([1, 2, 0]);
  await end(open, 1n);
  expect(await spentOf(owner)).toEqual([COST]);
  await expectNoViolations();
});

test("rejects what a scope cannot name, and more budgets than an account may have", async () => {
  const [owner, stranger] = [await newCustomer(hub), await newCustomer(hub)];
  await expect(create(owner, { scope: { keys: [stranger.keyId] } })).rejects.toMatchObject({ code: "invalid_input" });
  await expect(create(owner, { scope: { member: 1 } })).rejects.toMatchObject({ code: "invalid_input" });
  await expect(create(owner, { amount: 1e-10 })).rejects.toMatchObject({ code: "invalid_input" });
  const created = await Promise.allSettled(Array.from({ length: 22 }, () => create(owner, {})));
  expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  const { id } = (await listBudgets(contextFor(owner)))[0]!;
  for (const attempt of [
    () => change(stranger, id, { amount: 2 }),
    () => remove(stranger, id),
    () => remove(owner, "none"),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: "resource_not_found" });
  expect(await listBudgets(contextFor(stranger))).toEqual([]);
});
