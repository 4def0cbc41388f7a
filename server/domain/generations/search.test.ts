import { expect, test } from "vitest";
import { insertHistory } from "../../../bench/accounts";
import { queuedGeneration } from "../../../test/generation-fixture";
import { testHub } from "../../../test/hub";
import type { Ctx } from "../../context";
import type { Hub } from "../hub";
import { newId } from "../../lib/id";
import { createAccount } from "../people/create-account";
import { creditAccount } from "../ledger/credit";
import { finishGeneration } from "./end/finish";
import type { Generation } from "./row/generation";
import { indexOlderGenerations } from "./search/index-words";
import { toLabelWords } from "./search/label-words";
import { insertWithHold } from "./intake/insert-with-hold";
import { type GenerationFilters, listStoredGenerations } from "./read/list";
import { markRunning } from "./run/mark-running";

const hub = await testHub();
const model = hub.catalogue.get("sandbox-image")!;
hub.catalogue = new Map([...hub.catalogue, ["second-image", { ...model, id: "second-image" }]]);

async function newAccount() {
  const id = await createAccount(hub, { email: `${newId()}@example.org` });
  await creditAccount(hub, id, { amount: 1_000_000_000n });
  const ctx: Ctx<Hub> = {
    hub,
    requestId: "test",
    actor: { kind: "user" },
    account: { id, email: "", member: false, balance: 0n, reserved: 0n },
  };
  const insert = async (prompt: string, fields: Partial<Generation> = {}) => {
    const generation = { ...queuedGeneration(id, 10n), input: { prompt }, ...fields };
    expect(await insertWithHold(hub, generation)).toBe("accepted");
    return generation.id;
  };
  const list = (filters: GenerationFilters & { limit?: number; cursor?: string }) =>
    listStoredGenerations(ctx, { limit: 100, ...filters });
  const find = async (filters: GenerationFilters) => (await list(filters)).data.map(({ id }) => id);
  return { id, insert, list, find };
}

test("finds generations of the account by words, by id and by batch, with every other filter", async () => {
  const [mine, others] = [await newAccount(), await newAccount()];
  const batch_id = newId();
  const fox = await mine.insert("A red fox at dusk", { batch_id });
  const boat = await mine.insert("A red boat", { is_llm: true });
  const foreign = await others.insert("A red fox", { batch_id });
  expect(await mine.find({ q: "FOX red" })).toEqual([fox]);
  expect(await mine.find({ q: "red" })).toEqual([boat, fox]);
  expect(await mine.find({ q: "red bo" })).toEqual([boat]);
  expect(await mine.find({ q: "re fox" })).toEqual([]);
  expect(await mine.find({ q: "red", exclude_llm: true })).toEqual([fox]);
  expect(await mine.find({ q: "red", model: "other" })).toEqual([]);
  for (const q of [fox, batch_id.toUpperCase()]) expect(await mine.find({ q })).toEqual([fox]);
  for (const q of [foreign, newId()]) expect(await mine.find({ q })).toEqual([]);
});

test("filters by time, to the millisecond, and by key", async () => {
  const { insert, find } = await newAccount();
  const key = newId();
  const at = (offset: number) => new Date(Date.parse("2026-11-21T08:00:00Z") + offset);
  const now = Date.now();
  const [first, second] = [new Date(now - 60_000), new Date(now - 30_000)];
  const early = await insert("one", { created_at: first, key_id: key });
  const late = await insert("one", { created_at: second });
  expect(await find({ from: first, until: second })).toEqual([early]);
  expect(await find({ from: second })).toEqual([late]);
  expect(await find({ q: "one", until: new Date(second.getTime() + 1) })).toEqual([late, early]);
  expect(await find({ from: at(0), until: at(1) })).toEqual([]);
  expect(await find({ key })).toEqual([early]);
  expect(await find({ key: newId() })).toEqual([]);
});

test("pages of a search are complete, have one total, and their cursors belong to it", async () => {
  const { insert, list } = await newAccount();
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const id = await insert(n === 2 ? "a pear" : "an apple");
    await markRunning(hub, { generationId: id, runId: newId() });
    await finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost: 10n });
    if (n !== 2) made.unshift(id);
  }
  const seen: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list({ q: "apple", limit: 2, cursor });
    expect(page).toMatchObject({ total_billed: 40n, total_is_partial: false });
    seen.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
    await expect(list({ q: "pear", cursor })).rejects.toMatchObject({ code: "invalid_input" });
  }
  expect(seen).toEqual(made);
});

test("generations of older versions become searchable, and old matches are found behind many newer ones", async () => {
  const { id: accountId, list, find } = await newAccount();
  await insertHistory(hub, accountId, 12_000);
  const nth = (n: number) =>
    hub.db.query<{ id: string }>(
      `UPDATE generation SET input = '{"prompt": "a needle"}' WHERE id = (
        SELECT id FROM generation WHERE account_id = $1 ORDER BY id OFFSET $2 LIMIT 1) RETURNING id`,
      [accountId, n],
    );
  const needles = [(await nth(11_999))[0]!.id, (await nth(50))[0]!.id];
  expect(await find({ q: "needle" })).toEqual([]);
  expect(await indexOlderGenerations(hub, 700)).toBe(700);
  expect(await find({ q: "needle" })).toEqual(needles.slice(0, 1));
  expect(await indexOlderGenerations(hub, 20_000)).toBe(11_300);
  expect(await find({ q: "needle" })).toEqual(needles);
  // The newest fill the page, so the others are neither read nor summed.
  const trees = await list({ q: "tree" });
  expect(trees.data).toHaveLength(100);
  expect(trees).toMatchObject({ total_is_partial: true, total_billed: 1_999n * 9_200_000n });
  const from = new Date("2023-01-01");
  expect(await list({ from })).toMatchObject({ total_is_partial: true, total_billed: 10_001n * 9_200_000n });
});

test("filters by kind, with every other filter, and pages of several models are complete and have one total", async () => {
  const { insert, list, find } = await newAccount();
  const image = await insert("a red fox");
  const chat = await insert("a red fox", { model: "sandbox-text", is_llm: true });
  const training = await insert("a red fox", { model: "sandbox-trainer" });
  const withdrawn = await insert("a red fox", { model: "withdrawn" });
  const batch_id = newId();
  const edited = await insert("a blue fox", { model: "second-image", batch_id });
  for (const id of [image, chat, edited]) {
    await markRunning(hub, { generationId: id, runId: newId() });
    await finishGeneration(hub, { id, from: ["running"], to: "succeeded", cost: 10n });
  }
  expect(await find({})).toEqual([edited, withdrawn, training, chat, image]);
  expect(await find({ kind: "image" })).toEqual([edited, image]);
  expect(await find({ kind: "text" })).toEqual([chat]);
  expect(await find({ kind: "training" })).toEqual([training]);
  expect(await find({ kind: "video" })).toEqual([]);
  expect(await find({ kind: "image", q: "red" })).toEqual([image]);
  expect(await find({ kind: "image", q: edited })).toEqual([edited]);
  expect(await find({ kind: "text", q: edited })).toEqual([]);
  expect(await find({ kind: "image", batch_id })).toEqual([edited]);
  expect(await find({ kind: "image", model: "sandbox-image" })).toEqual([image]);
  expect(await find({ kind: "image", model: "sandbox-text" })).toEqual([]);
  expect(await find({ kind: "image", status: "queued" })).toEqual([]);
  expect(await find({ kind: "text", exclude_llm: true })).toEqual([]);
  const total = { total_billed: 20n, total_is_partial: false };
  for (const filters of [{}, { q: "fox" }, { from: new Date(0) }]) {
    const first = await list({ ...filters, kind: "image", limit: 1 });
    expect(first).toMatchObject({ ...total, data: [{ id: edited }] });
    const cursor = first.next_cursor!;
    const second = await list({ ...filters, kind: "image", limit: 1, cursor });
    expect(second).toMatchObject({ ...total, data: [{ id: image }], next_cursor: null });
    await expect(list({ ...filters, kind: "text", cursor })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(list({ ...filters, cursor })).rejects.toMatchObject({ code: "invalid_input" });
  }
});

test("filters by pairs of metadata and by end user, with every other filter, and finds nothing of others", async () => {
  const [mine, others] = [await newAccount(), await newAccount()];
  const blue = { team: "blue", run: "1" };
  const first = await mine.insert("a red fox", { metadata: blue, end_user: "ada" });
  const second = await mine.insert("a fox", { metadata: { ...blue, run: "2" }, end_user: "eve", is_llm: true });
  const third = await mine.insert("a boat", { metadata: { team: "green" }, end_user: "ada" });
  await mine.insert("team blue", { metadata: null });
  const foreign = await others.insert("a red fox", { metadata: blue, end_user: "ada" });
  const cases: [GenerationFilters, string[]][] = [
    [{ metadata: { team: "blue" } }, [second, first]],
    [{ metadata: { run: "1", team: "blue" } }, [first]],
    [{ metadata: { team: "blue", run: "3" } }, []],
    [{ metadata: { team: "blu" } }, []],
    [{ metadata: { Team: "blue" } }, []],
    [{ metadata: {} }, await mine.find({})],
    [{ metadata: { team: "blue" }, exclude_llm: true }, [first]],
    [{ metadata: { team: "blue" }, q: "red fo" }, [first]],
    [{ metadata: { team: "green" }, q: "fox" }, []],
    [{ metadata: { team: "blue" }, q: first }, [first]],
    [{ metadata: { team: "green" }, q: first }, []],
    [{ metadata: { team: "blue" }, kind: "image" }, [second, first]],
    [{ metadata: { team: "blue" }, q: foreign }, []],
    [{ end_user: "ada" }, [third, first]],
    [{ end_user: "ada", metadata: { team: "blue" } }, [first]],
    [{ end_user: "ada", model: "second-image" }, []],
    [{ end_user: "ada", kind: "image", from: new Date(0) }, [third, first]],
    [{ end_user: "ad" }, []],
  ];
  for (const [filters, ids] of cases) expect(await mine.find(filters), JSON.stringify(filters)).toEqual(ids);
  const page = await mine.list({ metadata: { team: "blue" }, end_user: "ada", limit: 1 });
  const next = await mine.list({ end_user: "ada", limit: 1 });
  expect(page.next_cursor).toBeNull();
  expect((await mine.list({ end_user: "ada", limit: 1, cursor: next.next_cursor! })).data[0]!.id).toBe(first);
  for (const filters of [{ end_user: "eve" }, {}, { end_user: "ada", metadata: { team: "blue" } }])
    await expect(mine.list({ ...filters, cursor: next.next_cursor! })).rejects.toMatchObject({ code: "invalid_input" });
});

test("finds pairs behind many newer generations, newest first, few or many", async () => {
  const { id: accountId, list } = await newAccount();
  await insertHistory(hub, accountId, 9_000);
  await labelHistory(accountId, 5);
  const expected = await hub.db.query<{ id: string }>(
    `SELECT id FROM generation WHERE account_id = $1 AND metadata @> '{"team": "old"}' ORDER BY id DESC`,
    [accountId],
  );
  expect(expected.length).toBeGreaterThan(1_200);
  const read: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await list({ metadata: { team: "old" }, limit: 100, cursor });
    read.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(read).toEqual(expected.map(({ id }) => id));
  const failed = await list({ metadata: { team: "old" }, status: "failed" });
  expect(failed.data).toEqual([]);
  expect((await list({ metadata: { run: "only" } })).data).toHaveLength(1);
});

/** Spreads an account's history over days of 1,000, and labels every `nth` of the oldest 7,000, and the first once more. */
async function labelHistory(accountId: number, nth: number): Promise<void> {
  const rows = await hub.db.query<{ id: string; created_at: Date; metadata: Record<string, string> | null }>(
    `UPDATE generation SET
       metadata = CASE WHEN n = 1 THEN '{"team": "old", "run": "only"}'::jsonb
                       WHEN n % $2 = 1 AND n <= 7000 THEN '{"team": "old"}' END,
       created_at = created_at + later, started_at = started_at + later, completed_at = completed_at + later,
       settled_at = settled_at + later
     FROM (SELECT id AS found, row_number() OVER (ORDER BY id) AS n FROM generation WHERE account_id = $1) numbered,
       LATERAL (SELECT (n / 1000) * interval '1 day' AS later) shift
     WHERE id = found RETURNING id, created_at, metadata`,
    [accountId, nth],
  );
  const words = rows.map((row) => ({ id: row.id, words: toLabelWords({ ...row, account_id: accountId }) }));
  await hub.db.query(
    `INSERT INTO generation_words (generation_id, words)
     SELECT id, array_to_tsvector(words) FROM json_to_recordset($1::json) AS row (id uuid, words text[])`,
    [JSON.stringify(words)],
  );
}
