import { expect, test } from "vitest";
import { openFileHub } from "../../../test/file-hub";
import { queuedGeneration } from "../../../test/generation-fixture";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { parseDecimal, formatDecimal } from "../../lib/money";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { finishGeneration } from "../generations/end/finish";
import { markRunning } from "../generations/run/mark-running";
import { listHolds } from "../generations/read/list-holds";
import { creditAccount } from "./credit";
import { type Entry, type EntryFilters, listEntries } from "./list-entries";
import { writeStatement } from "./write-statement";

const { hub, advance, newAccount, ctxOf, queue, output, end } = await openFileHub();
const DAY_MS = 86_400_000;

async function all(account: number, filters: EntryFilters = {}, limit = 2): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await listEntries(ctxOf(account), { ...filters, limit, cursor });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    found.push(...page.data);
    if (page.next_cursor === null) return found;
    cursor = page.next_cursor;
  }
}

test("every balance follows from the previous entry, even for concurrent writes", async () => {
  const account = await newAccount();
  const charge = async () => {
    const generation = { ...queuedGeneration(account, 3n), created_at: hub.now() };
    await insertWithHold(hub, generation);
    await markRunning(hub, { generationId: generation.id, runId: newId() });
    await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  };
  await Promise.all(
    Array.from({ length: 12 }, (_, n) => (n % 3 ? charge() : creditAccount(hub, account, { amount: BigInt(n + 1) }))),
  );
  const entries = await all(account, {}, 5);
  expect(entries).toHaveLength(13);
  for (const [index, { amount, balance_after }] of entries.entries()) {
    expect(balance_after - amount).toBe(entries[index + 1]?.balance_after ?? 0n);
  }
});

test("filters by kind and days without losing or repeating entries", async () => {
  const account = await newAccount();
  const start = hub.now();
  const days: string[][] = [];
  for (let day = 0; day < 3; day += 1) {
    await output(account);
    await creditAccount(hub, account, { amount: 5n, note: `day ${day}` });
    days.push((await all(account)).slice(0, 2).map(({ id }) => String(id)));
    advance(DAY_MS);
  }
  const ids = async (filters: EntryFilters) => (await all(account, filters)).map(({ id }) => String(id));
  const after = (n: number) => new Date(start.getTime() + n * DAY_MS);
  expect(await ids({ from: after(1), until: after(2) })).toEqual(days[1]);
  expect(await ids({ from: after(1) })).toEqual([...days[2]!, ...days[1]!]);
  expect(await ids({ until: after(1), kind: "charge" })).toEqual(days[0]!.slice(1));
  expect(await ids({ from: after(1), kind: "credit" })).toEqual([days[2]![0], days[1]![0]]);
  expect(await ids({ from: after(9) })).toEqual([]);
  expect(await ids({ until: after(-9) })).toEqual([]);
  expect((await all(account, { kind: "charge" }))[0]).toMatchObject({ model: "sandbox-image", amount: -1_000n });
});

test.each([
  [[-2, 3, -1, 4], 2, 2],
  [[2, 1], 2, 0],
  [[-1, -2], 0, 2],
])("lists an entry with an out-of-order time: %j ms after midnight", async (offsets, after, before) => {
  const account = await newAccount();
  const midnight = new Date("2026-05-02T00:00:00Z");
  for (const offset of offsets) {
    await creditAccount(deriveHub(hub, { now: () => new Date(midnight.getTime() + offset) }), account, { amount: 1n });
  }
  expect(await all(account, { from: midnight })).toHaveLength(after);
  const day = { from: new Date(midnight.getTime() - DAY_MS), until: midnight };
  expect(await all(account, day)).toHaveLength(before);
});

test("a cursor is valid only for its account and filters", async () => {
  const account = await newAccount();
  for (let n = 0; n < 3; n += 1) await creditAccount(hub, account, { amount: 1n });
  const { next_cursor } = await listEntries(ctxOf(account), { limit: 1, kind: "credit" });
  const cursor = next_cursor!;
  const invalidInput = { code: "invalid_input" };
  await expect(listEntries(ctxOf(account), { limit: 1, cursor })).rejects.toMatchObject(invalidInput);
  await expect(listEntries(ctxOf(await newAccount()), { limit: 1, kind: "credit", cursor })).rejects.toMatchObject(
    invalidInput,
  );
});

test("an account sees only its own entries and holds", async () => {
  const account = await newAccount();
  await queue(account);
  const otherAccount = await newAccount();
  expect(await all(otherAccount)).toHaveLength(1);
  expect(await listHolds(ctxOf(otherAccount), 20)).toEqual([]);
});

test("holds add up to the reserved amount until they are settled", async () => {
  const account = await newAccount();
  const made = [await queue(account), await queue(account), await queue(account)].reverse();
  await markRunning(hub, { generationId: made[1]!, runId: newId() });
  const holds = await listHolds(ctxOf(account), 20);
  expect(holds.map(({ id }) => id)).toEqual(made);
  const [row] = await hub.db.query<{ reserved: bigint }>("SELECT reserved FROM account WHERE id = $1", [account]);
  expect(holds.reduce((sum, { estimated_cost }) => sum + estimated_cost, 0n)).toBe(row!.reserved);
  await end(made[0]!, "canceled");
  expect((await listHolds(ctxOf(account), 1)).map(({ id }) => id)).toEqual([made[1]]);
});

test("the CSV has all entries exactly and escapes formulas", async () => {
  const account = await newAccount();
  await creditAccount(hub, account, { amount: 1n, note: '=HYPERLINK("http://x")', reference: "a, b\nc" });
  await output(account);
  const label = `UPDATE generation SET end_user = '=1+1', metadata = '{"team": "blue"}' WHERE account_id = $1`;
  await hub.db.query(label, [account]);
  let text = "";
  for await (const part of writeStatement(ctxOf(account), {})) text += part;
  const [head, charge, specialText] = text.split("\r\n");
  expect(head).toBe(
    "time,entry,kind,amount_eur,balance_eur,generation,model,reference,note,input_tokens,cached_input_tokens,cache_write_tokens,output_tokens,reasoning_tokens,end_user,metadata,promotional_eur,price",
  );
  expect(charge).toMatch(
    /^2026-.*Z,\d+,charge,-0\.000001,0\.999999001,[0-9a-f-]{36},sandbox-image,,,,,,,,'=1\+1,"\{""team"":""blue""\}",0,$/,
  );
  expect(specialText).toMatch(
    /,credit,0\.000000001,1\.000000001,,,"a, b\nc","'=HYPERLINK\(""http:\/\/x""\)",,,,,,,,0,$/,
  );
});

test.each(["0", "-0.0092", "12.5", "999999999999.999999999", "-1"])("prints %s as it is read", (text) => {
  expect(formatDecimal(parseDecimal(text))).toBe(text);
});

test("reads hardly more rows than it returns, however long the history", async () => {
  const account = await newAccount();
  await hub.db.query(
    `WITH made AS (
       INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                               timeout_seconds, created_at, started_at, completed_at, settled_at)
       SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 1, 1, '{}', 'sandbox', 60, t, t, t, t
       FROM generate_series(1, 20000) n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '5 minutes' AS t) at
       RETURNING account_id, id, created_at
     )
     INSERT INTO ledger_entry (account_id, kind, amount, balance_after, generation_id, created_at)
     SELECT account_id, 'charge', -1, 1, id, created_at FROM made ORDER BY created_at`,
    [account],
  );
  await hub.db.query("ANALYZE ledger_entry");
  const query: typeof hub.db.query = async (sql, values) => {
    const plan = await hub.db.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off) ${sql}`,
      values,
    );
    const lines = plan.map((row) => row["QUERY PLAN"]);
    expect(lines.join("\n")).not.toMatch(/Seq Scan on ledger_entry/);
    const removed = lines.flatMap((line) => /Rows Removed by Filter: (\d+)/.exec(line)?.[1] ?? []);
    expect(Math.max(0, ...removed.map(Number))).toBeLessThan(50);
    return hub.db.query(sql, values);
  };
  const ctx = { ...ctxOf(account), hub: deriveHub(hub, { db: { ...hub.db, query } }) };
  const day = { from: new Date("2026-02-01"), until: new Date("2026-02-02") };
  for (const filters of [{}, day, { kind: "credit" as const }, { ...day, kind: "charge" as const }]) {
    await listEntries(ctx, { limit: 20, ...filters });
  }
});
