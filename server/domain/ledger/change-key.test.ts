import { expect, test } from "vitest";
import { newCustomer } from "../../../test/api/customer";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { soakCount } from "../../../test/soak";
import { contextOf } from "../../context";
import { newId } from "../../lib/id";
import { runAudit } from "../audit/audit";
import { finishGeneration } from "../generations/end/finish";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { findKey } from "../credentials/authenticate";
import { getKey, revokeKey } from "../keys/key";
import { rotateKey } from "../keys/rotate";
import { changeKey } from "./change-key";

const hub = await testHub();
const COST = 9_200_000n;

type Owner = Awaited<ReturnType<typeof newCustomer>>;
const contextFor = ({ account, email }: Pick<Owner, "account" | "email">) =>
  contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
const startedIn = { status: "running" as const, is_llm: true, started_at: new Date(), deadline_at: new Date() };
const by = ({ account, keyId }: Owner, members: object = {}) => ({
  ...queuedGeneration(account, COST),
  key_id: keyId,
  ...members,
});
const hold = (owner: Owner, members?: object) => insertWithHold(hub, by(owner, members));
const end = (id: string, cost: bigint) => finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost });
const spentOf = async (owner: Owner) => (await getKey(contextFor(owner), owner.keyId)).spent;
const expectNoViolations = async () => expect((await runAudit(hub.db)).violations).toEqual([]);

test("a limit that is set later counts what the key has spent and holds in the period", async () => {
  const owner = await newCustomer(hub);
  const ctx = contextFor(owner);
  const [yesterday, open] = [by(owner, startedIn), by(owner, startedIn)];
  const past = new Date(hub.now().getTime() - 40 * 86_400_000);
  await insertWithHold(hub, { ...yesterday, created_at: past, started_at: past });
  await insertWithHold(hub, open);
  await end(yesterday.id, 1_000n);
  for (const [spend_limit_reset, spent] of [
    ["month", COST],
    [null, COST + 1_000n],
    ["day", COST],
  ] as const) {
    const key = await changeKey(ctx, owner.keyId, { spend_limit: 0.01, spend_limit_reset });
    expect(key).toMatchObject({ spend_limit: 10_000_000n, spend_limit_reset, spent });
    expect(await hold(owner)).toBe("insufficient_credits");
    await expectNoViolations();
  }
  await end(open.id, 500n);
  expect(await spentOf(owner)).toBe(500n);
  await changeKey(ctx, owner.keyId, { spend_limit: null });
  expect(await hold(owner)).toBe("accepted");
  expect(await spentOf(owner)).toBe(1_500n + COST);
  await expectNoViolations();
});

test("a limit below what is spent rejects new work and settles what runs", async () => {
  const owner = await newCustomer(hub, { spendLimit: 1, spendLimitReset: "month" });
  const running = by(owner, startedIn);
  await insertWithHold(hub, running);
  expect(await changeKey(contextFor(owner), owner.keyId, { spend_limit: 0.001 })).toMatchObject({
    spend_limit: 1_000_000n,
    spend_limit_reset: "month",
    spent: COST,
  });
  expect(await hold(owner)).toBe("insufficient_credits");
  expect(await end(running.id, COST)).toMatchObject({ billed_cost: COST });
  await expect(hub.db.query("UPDATE key_spending SET reserved = 1 WHERE key_id = $1", [owner.keyId])).rejects.toThrow(
    "key_spending_within_limit",
  );
  await changeKey(contextFor(owner), owner.keyId, { spend_limit: 0.0184 });
  expect(await hold(owner)).toBe("accepted");
  expect(await hold(owner)).toBe("insufficient_credits");
  await expectNoViolations();
});

test("limits that are set, lowered and removed while holds are made and settled stay exact", async () => {
  for (let round = 0; round < soakCount(6, 100); round += 1) {
    const owner = await newCustomer(hub);
    const ctx = contextFor(owner);
    const running = Array.from({ length: 5 }, () => by(owner, startedIn));
    for (const one of running) await insertWithHold(hub, one);
    const holds = Promise.all(Array.from({ length: 20 }, () => hold(owner)));
    const ends = Promise.all(running.map(({ id }) => end(id, 700n)));
    const changes = [
      changeKey(ctx, owner.keyId, { spend_limit: 0.1, spend_limit_reset: "day" }),
      changeKey(ctx, owner.keyId, { spend_limit: 0.05, spend_limit_reset: round % 2 ? "month" : null }),
      ...(round % 3 === 0 ? [changeKey(ctx, owner.keyId, { spend_limit: null })] : []),
    ];
    await Promise.all([holds, ends, ...changes]);
    await expectNoViolations();
    // By month, because the day may end between the holds and this.
    const last = await changeKey(ctx, owner.keyId, { spend_limit: 0.01, spend_limit_reset: "month" });
    const accepted = (await holds).filter((result) => result === "accepted").length;
    expect(last.spent).toBe(BigInt(accepted) * COST + 5n * 700n);
    const more = await Promise.all(Array.from({ length: 5 }, () => hold(owner)));
    expect(more.filter((result) => result === "accepted")).toHaveLength(last.spent + COST <= 10_000_000n ? 1 : 0);
    await expectNoViolations();
  }
});

test("a hold that waits while the limit is lowered sees the new limit", async () => {
  const owner = await newCustomer(hub);
  // The hold takes its snapshot before the change commits, and the account's lock after it.
  const blocker = await hub.db.pool.connect();
  const countWaiting = () =>
    hub.db
      .query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
      .then(({ length }) => length);
  try {
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [owner.account]);
    const change = changeKey(contextFor(owner), owner.keyId, { spend_limit: 0.001 });
    await expect.poll(countWaiting).toBe(1);
    const held = hold(owner);
    await expect.poll(countWaiting).toBe(2);
    await blocker.query("COMMIT");
    await change;
    expect(await held).toBe("insufficient_credits");
  } finally {
    blocker.release();
  }
  await expectNoViolations();
});

test("of concurrent rotations with a grace period one succeeds, and a revocation ends every secret", async () => {
  const owner = await newCustomer(hub);
  const ctx = contextFor(owner);
  const rotations = await Promise.allSettled([1, 2, 3].map(() => rotateKey(ctx, owner.keyId, 24)));
  const done = rotations.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(done).toHaveLength(1);
  expect(rotations.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "invalid_state" } });
  const secrets = [owner.key, done[0]!.key];
  for (const secret of secrets) expect(await findKey(hub, secret)).toMatchObject({ rejection: null });
  const [revoked, rotated] = await Promise.allSettled([revokeKey(ctx, owner.keyId), rotateKey(ctx, owner.keyId, 0)]);
  expect(revoked.status).toBe("fulfilled");
  if (rotated.status === "fulfilled") secrets.push(rotated.value.key);
  for (const secret of secrets) expect((await findKey(hub, secret))?.rejection ?? "revoked").toBe("revoked");
  await expect(rotateKey(ctx, owner.keyId, 0)).rejects.toMatchObject({ code: "resource_not_found" });
});

test("another account's key, an unknown and a malformed id look alike, and a session that has ended rotates nothing", async () => {
  const [owner, other] = [await newCustomer(hub), await newCustomer(hub)];
  const calls = [
    (id: string) => changeKey(contextFor(owner), id, { name: "mine" }),
    (id: string) => changeKey(contextFor(owner), id, { spend_limit: 1 }),
    (id: string) => rotateKey(contextFor(owner), id, 0),
  ];
  for (const id of [other.keyId, newId(), "none"])
    for (const call of calls) await expect(call(id)).rejects.toMatchObject({ code: "resource_not_found" });
  const ended = { ...contextFor(owner), actor: { kind: "user" as const, sessionId: newId() } };
  await expect(rotateKey(ended, owner.keyId, 0)).rejects.toMatchObject({ code: "unauthorized" });
  expect(await findKey(hub, owner.key)).toMatchObject({ rejection: null });
});
