import { expect, test } from "vitest";
import { queuedGeneration } from "../../../test/generation-fixture";
import { openFileHub } from "../../../test/file-hub";
import { deriveHub } from "../../../test/derive-hub";
import { newId } from "../../lib/id";
import { insertWithHold } from "../generations/intake/insert-with-hold";
import { markRunning } from "../generations/run/mark-running";
import { finishGeneration } from "../generations/end/finish";
import { createKey } from "../keys/create";
import { creditAccount } from "./credit";
import { serializeSpend, sumSpend } from "./sum-spend";

const { hub, advance, newAccount, ctxOf, queue, end } = await openFileHub();
const DAY_MS = 86_400_000;

async function charge(account: number, model: string, keyId: string | null, cost: bigint) {
  const generation = { ...queuedGeneration(account, cost), model, key_id: keyId, created_at: hub.now() };
  await insertWithHold(hub, generation);
  await markRunning(hub, { generationId: generation.id, runId: newId() });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
}

test("sums charges by UTC day, model and key", async () => {
  const account = await newAccount();
  const { record: server } = await createKey(hub, account, { name: "server" });
  // One charge is a day too early, and one is in the last millisecond before midnight.
  await charge(account, "old", null, 1n);
  advance(DAY_MS * 1.5 - 1);
  await charge(account, "image", server.id, 3n);
  advance(1);
  await charge(account, "image", null, 5n);
  advance(2 * DAY_MS);
  await charge(account, "text", server.id, 7n);
  await creditAccount(hub, account, { amount: 1_000n });
  await queue(account);
  await end(await queue(account), "canceled");

  const spend = await sumSpend(ctxOf(account), 4);
  expect(spend).toEqual({
    spent: 15n,
    count: 3,
    days: [
      { day: "2026-03-02", spent: 3n, count: 1 },
      { day: "2026-03-03", spent: 5n, count: 1 },
      { day: "2026-03-04", spent: 0n, count: 0 },
      { day: "2026-03-05", spent: 7n, count: 1 },
    ],
    models: [
      { model: "image", spent: 8n, count: 2 },
      { model: "text", spent: 7n, count: 1 },
    ],
    keys: [
      { key: { id: server.id, name: "server" }, spent: 10n, count: 2 },
      { key: null, spent: 5n, count: 1 },
    ],
  });
  expect(serializeSpend(spend, 1)).toMatchObject({
    models: { dearest: [{ model: "image", spent: 8e-9 }], others: { spent: 7e-9, count: 1, of: 1 } },
    keys: { dearest: [{ key: { name: "server" } }], others: { spent: 5e-9, of: 1 } },
  });
  expect(serializeSpend(spend, 2).models.others).toBeNull();
  const { days, ...nothing } = await sumSpend(ctxOf(await newAccount()), 7);
  expect(nothing).toEqual({ spent: 0n, count: 0, models: [], keys: [] });
  expect(days.map(({ spent }) => spent)).toEqual(Array(7).fill(0n));
});

test("reads only the entries of its days, however long the history", async () => {
  const account = await newAccount();
  await hub.db.query(
    `WITH made AS (
       INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                               timeout_seconds, created_at, started_at, completed_at, settled_at)
       SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 1, 1, '{}', 'sandbox', 60, t, t, t, t
       FROM generate_series(1, 20000) n, LATERAL (SELECT $2::timestamptz - n * interval '1 hour' AS t) at
       RETURNING account_id, id, created_at
     )
     INSERT INTO ledger_entry (account_id, kind, amount, balance_after, generation_id, created_at)
     SELECT account_id, 'charge', -1, 1, id, created_at FROM made ORDER BY created_at`,
    [account, hub.now()],
  );
  await hub.db.query("ANALYZE ledger_entry");
  await hub.db.query("ANALYZE generation");
  const query: typeof hub.db.query = async (sql, values) => {
    const plan = await hub.db.query<{ "QUERY PLAN": string }>(`EXPLAIN (ANALYZE, TIMING off) ${sql}`, values);
    const lines = plan.map((row) => row["QUERY PLAN"]);
    expect(lines.join("\n")).not.toMatch(/Seq Scan on (ledger_entry|generation)/);
    const rows = lines.flatMap((line) => /rows=([\d.]+) loops=/.exec(line.split("actual")[1] ?? "")?.[1] ?? []);
    expect(Math.max(...rows.map(Number))).toBeLessThanOrEqual(7 * 24);
    return hub.db.query(sql, values);
  };
  const { count } = await sumSpend({ ...ctxOf(account), hub: deriveHub(hub, { db: { ...hub.db, query } }) }, 7);
  expect(count).toBe(6 * 24);
});
