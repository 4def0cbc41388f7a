import { beforeAll, describe, expect, test } from "vitest";
import { newCustomer, type Customer } from "../../../test/api/customer";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import { newId } from "../../lib/id";
import { NEVER_EXPIRES } from "../files/never-expires";
import { finishGeneration } from "../generations/end/finish";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { markRunning } from "../generations/run/mark-running";
import { creditAccount } from "../ledger/credit";
import { runAudit } from "./audit";
import { closeMonths } from "./closings";
import { findFullAuditTime, recordAudit } from "./record-audit";

const hub = await testHub();
const DAY_MS = 86_400_000;
const COST = 9_200_000n;

let anna: Customer;
let bob: Customer;

const queue = async (customer: Customer, withKey = false) => {
  const generation = {
    ...queuedGeneration(customer.account, COST),
    id: hubId(),
    created_at: hub.now(),
    key_id: withKey ? customer.keyId : null,
  };
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  return generation.id;
};
async function succeed(id: string): Promise<void> {
  await markRunning(hub, { generationId: id, runId: newId() });
  await finishGeneration(hub, { id, from: ["running"], to: "succeeded" });
}
const cancel = (id: string) => finishGeneration(hub, { id, from: ["queued"], to: "canceled" });

/** Returns an id as the hub makes it, with the time of the hub's clock, which is ahead. */
const hubId = () => {
  const at = hub.now().getTime().toString(16).padStart(12, "0");
  return `${at.slice(0, 8)}-${at.slice(8)}-${newId().slice(14)}`;
};
/** Returns the end of the current month. */
const monthEnd = () => Date.UTC(hub.now().getUTCFullYear(), hub.now().getUTCMonth() + 1);
const advanceTo = (time: number) => hub.clock.advance(time - hub.now().getTime());
const formatMonth = () => hub.now().toISOString().slice(0, 7);

async function use(customer: Customer): Promise<void> {
  await succeed(await queue(customer, true));
  await succeed(await queue(customer));
  await cancel(await queue(customer));
  await creditAccount(hub, customer.account, { amount: 5_000_000_000n });
}

const auditOpen = () => runAudit(hub.db, { isFull: false });
const listChecks = (violations: { check: string }[]) => [...new Set(violations.map(({ check }) => check))];
/** Writes past the triggers that forbid it. */
const forge = (sql: string) =>
  hub.db.transaction(async (tx) => {
    await tx.query("SET LOCAL session_replication_role = replica");
    await tx.query(sql);
  });

let months: string[];

beforeAll(async () => {
  [anna, bob] = [await newCustomer(hub, { spendLimit: 100 }), await newCustomer(hub)];
  const first = formatMonth();
  await use(anna);
  await use(bob);
  const late = await queue(anna, true);
  advanceTo(monthEnd() + 3 * DAY_MS);
  const second = formatMonth();
  await use(anna);
  // A month is not closed while one of its generations is not settled.
  expect((await recordAudit(hub)).closed_until).toBeNull();
  expect(await closeMonths(hub)).toEqual([]);
  await succeed(late);
  expect(await closeMonths(hub)).toEqual([first]);
  advanceTo(monthEnd() + DAY_MS);
  expect(await closeMonths(hub)).toEqual([]);
  hub.clock.advance(DAY_MS + 60_000);
  expect((await recordAudit(hub)).closed_until).toBe(first);
  months = [first, second];
});

describe("closed months", () => {
  test("are closed by an audit that found nothing, and then not read again", async () => {
    const open = await auditOpen();
    expect(open).toMatchObject({ closed_until: months[1], violations: [] });
    expect(await runAudit(hub.db)).toEqual({ ...open, closed_until: null });
    const rows = await hub.db.query<{ month: string; entries: bigint; generations: bigint }>(
      "SELECT to_char(month, 'YYYY-MM') AS month, entries, generations FROM ledger_closing ORDER BY 1",
    );
    // Two first credits, and two charges and one credit of each; then those of Anna, with one charge from before.
    expect(rows).toEqual([
      { month: months[0], entries: 8n, generations: 7n },
      { month: months[1], entries: 4n, generations: 3n },
    ]);
  });

  test("are followed by open ones, which every audit reads", async () => {
    await use(anna);
    await use(bob);
    const open = await auditOpen();
    expect(open.violations).toEqual([]);
    expect(await runAudit(hub.db)).toEqual({ ...open, closed_until: null });
  });

  test.each(["ledger_closing", "account_closing", "billing_closing"])("%s can only be appended to", async (table) => {
    for (const sql of [`UPDATE ${table} SET month = month`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`])
      await expect(hub.db.query(sql)).rejects.toThrow("closings are append-only");
  });

  test("are closed once, by however many processes, also months without rows", async () => {
    const before = months.length;
    advanceTo(monthEnd() + 3 * DAY_MS);
    advanceTo(monthEnd() + 3 * DAY_MS);
    const closed = (await Promise.all([closeMonths(hub), closeMonths(hub), closeMonths(hub)])).flat();
    expect(closed).toHaveLength(2);
    expect(new Set(closed).size).toBe(2);
    const [row] = await hub.db.query<{ count: bigint }>("SELECT count(*) FROM ledger_closing");
    expect(row!.count).toBe(BigInt(before + 2));
    expect((await runAudit(hub.db)).violations).toEqual([]);
    await use(anna);
    expect((await auditOpen()).violations).toEqual([]);
  });

  test("a verdict says whether everything was read", async () => {
    const full = (await recordAudit(hub, { isFull: true })).closed_until;
    expect(full).toBeNull();
    const at = await findFullAuditTime(hub);
    hub.clock.advance(DAY_MS);
    expect((await recordAudit(hub)).closed_until).not.toBeNull();
    expect(await findFullAuditTime(hub)).toEqual(at);
  });
});

const firstCharge = () => `(SELECT min(id) FROM ledger_entry WHERE kind = 'charge' AND account_id = ${bob.account})`;
const lastEntry = () => `(SELECT max(id) FROM ledger_entry WHERE account_id = ${anna.account})`;
const canceled = "(SELECT id FROM generation WHERE status = 'canceled' ORDER BY id DESC LIMIT 1)";
const newest = "(SELECT id FROM generation WHERE status = 'succeeded' ORDER BY id DESC LIMIT 1)";

describe("what is forged in a closed month is found by the full audit", () => {
  const ledgerSums = "a closing has the sums of the ledger entries that it closes";
  const billedSums = "a closing has the sums of the generations that it closes";
  const forgeries: [name: string, forged: () => string, undone: () => string, check: string][] = [
    [
      "an entry, and its balances after",
      () => `UPDATE ledger_entry SET amount = amount + 1 WHERE id = ${firstCharge()}`,
      () => `UPDATE ledger_entry SET amount = amount - 1 WHERE id = ${firstCharge()}`,
      ledgerSums,
    ],
    [
      "an entry that was moved to another account",
      () => `UPDATE ledger_entry SET account_id = ${anna.account} WHERE id = ${firstCharge()}`,
      () =>
        `UPDATE ledger_entry SET account_id = ${bob.account} WHERE id = (SELECT min(id) FROM ledger_entry WHERE kind = 'charge' AND generation_id IN (SELECT id FROM generation WHERE account_id = ${bob.account}))`,
      ledgerSums,
    ],
    [
      "a closing, with the balance that it makes",
      () =>
        `WITH paid AS (UPDATE account SET balance = balance + 5 WHERE id = ${bob.account}),
              entry AS (UPDATE ledger_entry SET balance_after = balance_after + 5
                        WHERE account_id = ${bob.account} AND id > (SELECT max(last_entry_id) FROM ledger_closing))
         UPDATE account_closing SET amount = amount + 5
         WHERE account_id = ${bob.account} AND month = (SELECT min(month) FROM ledger_closing)`,
      () =>
        `WITH paid AS (UPDATE account SET balance = balance - 5 WHERE id = ${bob.account}),
              entry AS (UPDATE ledger_entry SET balance_after = balance_after - 5
                        WHERE account_id = ${bob.account} AND id > (SELECT max(last_entry_id) FROM ledger_closing))
         UPDATE account_closing SET amount = amount - 5
         WHERE account_id = ${bob.account} AND month = (SELECT min(month) FROM ledger_closing)`,
      ledgerSums,
    ],
    [
      "a generation's cost",
      () => "UPDATE generation SET billed_cost = 1 WHERE id = (SELECT min(id::text)::uuid FROM generation WHERE billed_cost > 0)", // prettier-ignore
      () => `UPDATE generation SET billed_cost = ${COST} WHERE billed_cost = 1`,
      billedSums,
    ],
    [
      "the billed sums of a closing, with the total that they make",
      () =>
        `WITH total AS (UPDATE billing_total SET billed = billed + 7 WHERE account_id = ${bob.account})
         UPDATE billing_closing SET billed = billed + 7 WHERE ctid = (SELECT min(ctid) FROM billing_closing WHERE account_id = ${bob.account} AND status = 'succeeded' AND key_id = '00000000-0000-0000-0000-000000000000')`,
      () =>
        `WITH total AS (UPDATE billing_total SET billed = billed - 7 WHERE account_id = ${bob.account})
         UPDATE billing_closing SET billed = billed - 7 WHERE account_id = ${bob.account} AND status = 'succeeded' AND key_id = '00000000-0000-0000-0000-000000000000' AND billed = ${COST + 7n}`,
      billedSums,
    ],
  ];
  test.each(forgeries)("%s", async (_name, forged, undone, check) => {
    await forge(forged());
    expect(listChecks((await runAudit(hub.db)).violations)).toContain(check);
    await forge(undone());
    expect((await runAudit(hub.db)).violations).toEqual([]);
  });

  test("a forged entry of a closed month is not read by the other audit", async () => {
    await forge(`UPDATE ledger_entry SET amount = amount + 1 WHERE id = ${firstCharge()}`);
    expect((await auditOpen()).violations).toEqual([]);
    await forge(`UPDATE ledger_entry SET amount = amount - 1 WHERE id = ${firstCharge()}`);
  });
});

describe("what is forged in an open month is found by every audit", () => {
  const forgeries: [check: string, forged: () => string, undone: () => string][] = [
    [
      "the balance equals the sum of the ledger entries",
      () => `UPDATE account SET balance = balance + 3 WHERE id = ${anna.account}`,
      () => `UPDATE account SET balance = balance - 3 WHERE id = ${anna.account}`,
    ],
    [
      "balance_after is the running sum of the entries",
      () => `UPDATE ledger_entry SET balance_after = balance_after + 3 WHERE id = ${lastEntry()}`,
      () => `UPDATE ledger_entry SET balance_after = balance_after - 3 WHERE id = ${lastEntry()}`,
    ],
    [
      "reserved equals the estimates of unsettled generations",
      () => `UPDATE account SET reserved = reserved + 3 WHERE id = ${anna.account}`,
      () => `UPDATE account SET reserved = reserved - 3 WHERE id = ${anna.account}`,
    ],
    [
      "the slots in use equal the running generations",
      () => `UPDATE account SET running = 1 WHERE id = ${anna.account}`,
      () => `UPDATE account SET running = 0 WHERE id = ${anna.account}`,
    ],
    [
      "every billed cost is charged once, to the right account",
      () => `UPDATE generation SET billed_cost = 5 WHERE id = ${newest}`,
      () => `UPDATE generation SET billed_cost = ${COST} WHERE id = ${newest}`,
    ],
    [
      "every billed cost is charged once, to the right account",
      () => `UPDATE generation SET billed_cost = 5 WHERE id = ${canceled}`,
      () => `UPDATE generation SET billed_cost = NULL WHERE id = ${canceled}`,
    ],
    [
      "every billed cost is charged once, to the right account",
      () =>
        `INSERT INTO ledger_entry (account_id, kind, amount, balance_after, generation_id, created_at)
         SELECT account_id, 'charge', -1, 0, id, created_at FROM generation WHERE id = ${canceled}`,
      () => "DELETE FROM ledger_entry WHERE amount = -1",
    ],
    [
      "a character's outputs never expire until it is deleted, and no other file is permanent",
      () =>
        `INSERT INTO file (id, account_id, media_type, sha256, created_at, stored_at, expires_at)
         SELECT gen_random_uuid(), ${anna.account}, 'image/png', sha256('x'), now(), now(), '${NEVER_EXPIRES}'`,
      () => `DELETE FROM file WHERE expires_at = '${NEVER_EXPIRES}'`,
    ],
    [
      "billing totals equal the sums of billed costs",
      () => `UPDATE billing_total SET billed = billed + 3 WHERE account_id = ${bob.account}`,
      () => `UPDATE billing_total SET billed = billed - 3 WHERE account_id = ${bob.account}`,
    ],
    [
      "a limited key's spend equals its holds and charges",
      () => "UPDATE key_spending SET charged = charged + 3",
      () => "UPDATE key_spending SET charged = charged - 3",
    ],
    [
      "a closing has as many entries and generations as its accounts",
      () => "UPDATE ledger_closing SET entries = entries + 1 WHERE month = (SELECT max(month) FROM ledger_closing)",
      () => "UPDATE ledger_closing SET entries = entries - 1 WHERE month = (SELECT max(month) FROM ledger_closing)",
    ],
    [
      "closings follow each other without a gap, each up to the end of its month",
      () => "UPDATE ledger_closing SET last_entry_id = 0 WHERE month = (SELECT max(month) FROM ledger_closing)",
      // The newest closed month has no entries, so that it ends where the one before does.
      () =>
        "UPDATE ledger_closing SET last_entry_id = (SELECT max(last_entry_id) FROM ledger_closing) WHERE last_entry_id = 0",
    ],
  ];
  test.each(forgeries)("%s", async (check, forged, undone) => {
    await forge(forged());
    for (const isFull of [false, true])
      expect(listChecks((await runAudit(hub.db, { isFull })).violations)).toContain(check);
    await forge(undone());
    expect((await runAudit(hub.db)).violations).toEqual([]);
    expect((await auditOpen()).violations).toEqual([]);
  });
});
