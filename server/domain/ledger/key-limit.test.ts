import { expect, test } from "vitest";
import { newCustomer } from "../../../test/api/customer";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { soakCount } from "../../../test/soak";
import { contextOf } from "../../context";
import { runAudit } from "../audit/audit";
import { insertWithHold, insertManyWithHold } from "../generations/intake/insert-with-hold";
import { finishGeneration } from "../generations/end/finish";
import { listKeys } from "../keys/key";

const hub = await testHub();
const COST = 9_200_000n;

type Owner = Awaited<ReturnType<typeof newCustomer>>;
const by = ({ account, keyId }: Owner, cost = COST) => ({ ...queuedGeneration(account, cost), key_id: keyId });
const at = (owner: Owner, time: string) => ({ ...by(owner), created_at: new Date(time) });
const ended = (id: string, cost?: bigint) => finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost });
const startedIn = { status: "running" as const, is_llm: true, started_at: new Date(), deadline_at: new Date() };
const spending = (owner: Owner) =>
  hub.db.query("SELECT period::text, reserved, charged FROM key_spending WHERE key_id = $1 ORDER BY period", [
    owner.keyId,
  ]);
const noViolations = async () => expect((await runAudit(hub.db)).violations).toEqual([]);

test("of 50 concurrent requests with a key limit for one, exactly one is accepted", async () => {
  for (let round = 0; round < soakCount(20, 200); round += 1) {
    const owner = await newCustomer(hub, { spendLimit: 0.0092, spendLimitReset: "month" });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => insertWithHold(hub, by(owner))));
    expect(verdicts.filter((verdict) => verdict === "accepted")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "insufficient_credits")).toHaveLength(49);
    const [row] = await hub.db.query("SELECT reserved FROM account WHERE id = $1", [owner.account]);
    expect(row).toEqual({ reserved: COST });
  }
  await noViolations();
});

test("an exceeded key limit affects no other key or account in the same statement", async () => {
  const owner = await newCustomer(hub, { spendLimit: 0.001 });
  const otherAccount = await newCustomer(hub);
  const free = { ...by(owner), key_id: null };
  const verdicts = await Promise.all([
    insertWithHold(hub, by(owner)),
    insertWithHold(hub, free),
    insertWithHold(hub, by(otherAccount)),
    insertWithHold(hub, by(owner)),
  ]);
  expect(verdicts).toEqual(["insufficient_credits", "accepted", "accepted", "insufficient_credits"]);
  await noViolations();
});

test("the constraint decides between concurrent statements, and nothing is held for the rejected one", async () => {
  const owner = await newCustomer(hub, { spendLimit: 0.0092 });
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
  expect(await spending(owner)).toEqual([{ period: "1970-01-01", reserved: COST, charged: 0n }]);
  await noViolations();
});

test("spending counts in the period in which the generation was accepted, even if it settles later", async () => {
  const owner = await newCustomer(hub, { spendLimit: 0.0092, spendLimitReset: "day" });
  const late = { ...at(owner, "2026-03-31T23:59:59.999Z"), ...startedIn };
  const early = { ...at(owner, "2026-04-01T00:00:00.000Z"), ...startedIn };
  expect(await insertWithHold(hub, late)).toBe("accepted");
  expect(await insertWithHold(hub, at(owner, "2026-03-31T12:00:00.000Z"))).toBe("insufficient_credits");
  expect(await insertWithHold(hub, early)).toBe("accepted");
  await ended(late.id, 1_000n);
  expect(await spending(owner)).toEqual([
    { period: "2026-03-31", reserved: 0n, charged: 1_000n },
    { period: "2026-04-01", reserved: COST, charged: 0n },
  ]);
  expect(await insertWithHold(hub, at(owner, "2026-04-01T23:00:00.000Z"))).toBe("insufficient_credits");
  const monthly = await newCustomer(hub, { spendLimit: 0.0092, spendLimitReset: "month" });
  expect(await insertWithHold(hub, at(monthly, "2026-04-01T00:00:00.000Z"))).toBe("accepted");
  expect(await insertWithHold(hub, at(monthly, "2026-04-30T23:59:59.999Z"))).toBe("insufficient_credits");
  expect(await insertWithHold(hub, at(monthly, "2026-05-01T00:00:00.000Z"))).toBe("accepted");
  await noViolations();
});

test("a key without a limit shows its total spending", async () => {
  const owner = await newCustomer(hub);
  const [one, other] = [
    { ...by(owner), ...startedIn },
    { ...by(owner), ...startedIn },
  ];
  await Promise.all([insertWithHold(hub, one), insertWithHold(hub, other)]);
  await ended(one.id, 200n);
  const account = { id: owner.account, email: owner.email, member: false, balance: 0n, reserved: 0n };
  const [key] = await listKeys(contextOf(hub, account, { kind: "user" }, "test"));
  expect(key).toMatchObject({ spent: COST + 200n, spend_limit: null });
  await noViolations();
});

test("the database rejects spending above a key limit, and the audit finds wrong totals", async () => {
  const owner = await newCustomer(hub, { spendLimit: 0.01 });
  await insertWithHold(hub, by(owner));
  const change = (set: string) => hub.db.query(`UPDATE key_spending SET ${set} WHERE key_id = $1`, [owner.keyId]);
  await expect(change("reserved = 10000001")).rejects.toThrow("key_spending_within_limit");
  await expect(change("reserved = -1")).rejects.toThrow();
  await change("charged = charged + 1");
  expect((await runAudit(hub.db)).violations).toMatchObject([
    { check: expect.stringContaining("spend equals its holds and charges") as string },
  ]);
  await change("charged = charged - 1");
  await noViolations();
});
