import { expect, test } from "vitest";
import { testHub } from "../../../test/hub";
import { createAccount } from "../people/create-account";
import { purgeEvents } from "../deliveries/redispatch-deliveries";
import { measureDatabase } from "./database-sizes";
import { describeRetention, findOldestRows, measureFiles } from "./retention";

const hub = await testHub();
const DAY_MS = 86_400_000;

const insertEvents = (account: number, count: number) =>
  hub.db.query(
    `INSERT INTO event (id, account_id, name, created_at, data)
     SELECT gen_random_uuid(), $1, 'test', $3, '{}' FROM generate_series(1, $2::int)`,
    [account, count, hub.now()],
  );

test("sizes are of tables with their indexes, the largest first", async () => {
  const account = await createAccount(hub, { email: "sizes@example.org" });
  expect((await measureDatabase(hub)).tables.find(({ name }) => name === "event")?.rows).toBeNull();
  await insertEvents(account, 1_000);
  await hub.db.query("ANALYZE");
  const { bytes, tables } = await measureDatabase(hub);
  expect(bytes).toBeGreaterThan(0);
  expect(tables[0]).toMatchObject({ name: "event", rows: 1_000 });
  const event = tables[0]!;
  expect(event.indexes.map(({ name }) => name)).toContain("event_pkey");
  expect(event.indexes.reduce((sum, index) => sum + index.bytes, 0)).toBe(event.index_bytes);
  const sizes = tables.map(({ table_bytes, index_bytes }) => table_bytes + index_bytes);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
});

test("what is removed next is what the sweep then removes", async () => {
  const findEvents = async () => (await describeRetention(hub)).find(({ name }) => name.startsWith("webhook events"))!;
  const { next_at, due } = await findEvents();
  expect(Date.parse(next_at!) - hub.now().getTime()).toBeGreaterThan(29 * DAY_MS);
  expect(due).toBe(0);
  hub.clock.advance(31 * DAY_MS);
  expect(await findEvents()).toMatchObject({ due: 1_000 });
  expect(await purgeEvents(hub, 2_000)).toBe(1_000);
  expect(await findEvents()).toMatchObject({ next_at: null, due: 0 });
});

test("replies are due when their account's time is over", async () => {
  const { id } = (await hub.db.query<{ id: number }>("UPDATE account SET reply_retention_days = 3 RETURNING id"))[0]!;
  const generation = "00000000-0000-7000-8000-000000000001";
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     VALUES ($1, $2, 'm', true, 'succeeded', '{}', 0, 0, '{}', 'openai', 60, $3, $3, $3, $3)`,
    [generation, id, hub.now()],
  );
  await hub.db.query("INSERT INTO chat_reply VALUES ($1, $2, '[]', $3)", [generation, id, hub.now()]);
  const findReplies = async () => (await describeRetention(hub)).find(({ name }) => name === "replies of chats")!;
  const at = Date.parse((await findReplies()).next_at!);
  expect(at - hub.now().getTime()).toBeGreaterThan(2.9 * DAY_MS);
  hub.clock.advance(3 * DAY_MS);
  expect(await findReplies()).toMatchObject({ due: 1 });
  expect((await findOldestRows(hub)).find(({ table }) => table === "generation")?.oldest_at).not.toBeNull();
  expect(await measureFiles(hub)).toEqual({ count: 0, bytes: 0 });
});
