import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { eraseDue } from "../../server/domain/erasure/erase-due";
import { selectDue, selectTransient } from "../../server/domain/erasure/due-generations";
import { mergeErasedUsage } from "../../server/domain/erasure/merge-usage";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { getStoredGeneration } from "../../server/domain/generations/read/get";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { storeOutput } from "../../server/domain/files/store-output";
import { changeRetention, eraseBefore } from "../../server/domain/retention";
import { rollUpUsage } from "../../server/domain/usage";
import { newCustomer } from "../api/customer";
import { explainPlan } from "../explain-plan";
import { chunksOf } from "../file-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";

const hub = await testHub({ RETENTION_WORD_DAYS: "90" });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const eraseAll = async () => {
  while ((await eraseDue(hub)) > 0);
};

async function openAccount() {
  const { account, email } = await newCustomer(hub);
  const ctx = contextOf(
    hub,
    { id: account, email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" },
    "test",
  );
  const read = (id: string) => getStoredGeneration(ctx, id);
  const end = async (id: string) => {
    await storeOutput(
      hub,
      { generationId: id, accountId: account, index: 0 },
      { mediaType: "image/png", content: chunksOf("x") },
    );
    await finishGeneration(hub, { id, from: ["running"], to: "succeeded", outputs: 1 });
  };
  return {
    account,
    ctx,
    read,
    /** Adds a running generation with labels and words, and ends it with an output unless `ends` is false. Returns its id. */
    async add({ ends = true, keepsNothing = false } = {}) {
      const generation = {
        ...queuedGeneration(account, 1_000n),
        input: { prompt: "harbour" },
        metadata: { team: "blue" },
        end_user: "anna",
        keeps_nothing: keepsNothing,
      };
      const { id } = generation;
      await insertWithHold(hub, generation);
      await markRunning(hub, { generationId: id, runId: "run" });
      if (ends) await end(id);
      return id;
    },
    /** Ends a running generation with an output. */
    end,
    words: async (id: string) =>
      (
        await hub.db.query<{ words: string }>(
          "SELECT words::text AS words FROM generation_words WHERE generation_id = $1",
          [id],
        )
      )[0]!.words,
  };
}

test("each kind of content goes after its own days, and a mark passes each generation once", async () => {
  const account = await openAccount();
  const id = await account.add();
  await changeRetention(hub, account.account, { input_days: 40, output_days: 10, word_days: 20, label_days: 30 });
  hub.clock.advance(9 * DAY_MS);
  await eraseAll();
  expect((await account.read(id)).outputs).toHaveLength(1);
  hub.clock.advance(2 * DAY_MS);
  await eraseAll();
  expect(await account.read(id)).toMatchObject({ outputs: [], input: { prompt: "harbour" }, end_user: "anna" });
  expect(await account.words(id)).toContain("harbour");
  hub.clock.advance(10 * DAY_MS);
  await eraseAll();
  expect(await account.words(id)).toMatch(/^'\d+=/);
  hub.clock.advance(10 * DAY_MS);
  await eraseAll();
  expect(await account.words(id)).toBe("");
  expect(await account.read(id)).toMatchObject({ metadata: null, end_user: null, input: { prompt: "harbour" } });
  hub.clock.advance(10 * DAY_MS);
  await eraseAll();
  expect(await account.read(id)).toMatchObject({ input: {}, erased_at: expect.any(Date) as Date, status: "succeeded" });
  expect(await eraseDue(hub)).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("labels go from events too, rendered and not, and nothing else does", async () => {
  const account = await openAccount();
  await hub.db.query("UPDATE account SET follows_events = true WHERE id = $1", [account.account]);
  const id = await account.add();
  await hub.db.query(
    "UPDATE event SET data = snapshot::text, snapshot = NULL WHERE generation_id = $1 AND name = 'generation.running'",
    [id],
  );
  const events = () =>
    hub.db.query<{ name: string; stored: string }>(
      "SELECT name, coalesce(data, snapshot::text) AS stored FROM event WHERE generation_id = $1 ORDER BY n",
      [id],
    );
  const before = await events();
  expect(before.map(({ name }) => name)).toEqual(["generation.running", "generation.completed"]);
  for (const { stored } of before) expect(stored).toMatch(/blue.*anna|anna.*blue/);
  await changeRetention(hub, account.account, { label_days: 1 });
  hub.clock.advance(2 * DAY_MS);
  await eraseAll();
  for (const { stored } of await events()) {
    expect(stored).not.toMatch(/blue|anna/);
    const event = JSON.parse(stored) as { input: object };
    expect(event).toMatchObject({ id, input: { prompt: "harbour" }, metadata: {}, end_user: null });
    expect(event).not.toMatchObject({ erased_at: expect.any(String) as string });
  }
  expect(JSON.parse((await events())[1]!.stored)).toMatchObject({ outputs: [expect.anything()] });
});

test("an account keeps no content for longer than the hub", async () => {
  const account = await openAccount();
  await expect(changeRetention(hub, account.account, { word_days: 91 })).rejects.toMatchObject({
    code: "invalid_input",
    extras: { errors: { "retention.word_days": [expect.stringContaining("RETENTION_WORD_DAYS")] } },
  });
});

test("one that has not ended is not erased, nor passed by a mark", async () => {
  const account = await openAccount();
  const [before, running, after] = [await account.add(), await account.add({ ends: false }), await account.add()];
  await changeRetention(hub, account.account, { input_days: 1 });
  hub.clock.advance(2 * DAY_MS);
  await eraseAll();
  const inputs = async () =>
    Promise.all([before, running, after].map(async (id) => Object.keys((await account.read(id)).input)));
  expect(await inputs()).toEqual([[], ["prompt"], ["prompt"]]);
  await finishGeneration(hub, { id: running, from: ["running"], to: "canceled" });
  await eraseAll();
  expect(await inputs()).toEqual([[], [], []]);
});

test("what keeps nothing goes an hour after its end, and an account may choose it for all", async () => {
  const account = await openAccount();
  const [transient, kept] = [await account.add({ keepsNothing: true }), await account.add()];
  hub.clock.advance(59 * 60_000);
  await eraseAll();
  expect(await account.read(transient)).toMatchObject({ input: { prompt: "harbour" } });
  hub.clock.advance(2 * 60_000);
  await eraseAll();
  expect(await account.read(transient)).toMatchObject({ input: {}, outputs: [] });
  expect(await account.read(kept)).toMatchObject({ input: { prompt: "harbour" } });
  await changeRetention(hub, account.account, { keeps_nothing: true });
  await eraseAll();
  expect(await account.read(kept)).toMatchObject({ input: {}, outputs: [], erased_at: expect.any(Date) as Date });
});

test("an account that keeps nothing keeps an output for an hour after a long generation's end", async () => {
  const account = await openAccount();
  const [before, switched] = [await account.add(), await account.add({ ends: false })];
  await changeRetention(hub, account.account, { keeps_nothing: true });
  const stamped = await account.add({ ends: false, keepsNothing: true });
  hub.clock.advance(2 * HOUR_MS);
  for (const id of [switched, stamped]) await account.end(id);
  hub.clock.advance(59 * MINUTE_MS);
  await eraseAll();
  expect(await account.read(before)).toMatchObject({ input: {}, outputs: [] });
  for (const id of [switched, stamped]) {
    const generation = await account.read(id);
    expect(generation).toMatchObject({ input: { prompt: "harbour" }, end_user: "anna", erased_at: null });
    expect(generation.outputs).toHaveLength(1);
  }
  hub.clock.advance(2 * MINUTE_MS);
  await eraseAll();
  for (const id of [switched, stamped]) expect(await account.read(id)).toMatchObject({ input: {}, outputs: [] });
});

test("everything before a date goes at once, also of an account that keeps nothing", async () => {
  const account = await openAccount();
  const id = await account.add();
  await changeRetention(hub, account.account, { keeps_nothing: true });
  hub.clock.advance(1_000);
  await eraseBefore(hub, account.account, hub.now());
  await eraseAll();
  expect(await account.read(id)).toMatchObject({ input: {}, outputs: [] });
});

test("everything before a date is erased, and usage by end user is merged without changing its sums", async () => {
  const account = await openAccount();
  const [first, second] = [await account.add(), await account.add()];
  while ((await rollUpUsage(hub, 10_000)) > 0);
  const sums = () =>
    hub.db.query<{ grain: string; value: string; generations: bigint }>(
      "SELECT grain, value, generations FROM usage_label_sum WHERE account_id = $1 ORDER BY grain",
      [account.account],
    );
  expect(await sums()).toMatchObject([{ value: "anna", generations: 2n }, { value: "anna" }]);
  hub.clock.advance(62 * DAY_MS);
  await eraseBefore(hub, account.account, hub.now());
  await eraseAll();
  await mergeErasedUsage(hub);
  for (const id of [first, second])
    expect(await account.read(id)).toMatchObject({ input: {}, outputs: [], end_user: null });
  expect(await sums()).toMatchObject([
    { value: "(erased)", generations: 2n },
    { value: "(erased)", generations: 2n },
  ]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("what is due is found by indexes", async () => {
  const account = await openAccount();
  await hub.db.query(
    `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                             timeout_seconds, created_at, started_at, completed_at, settled_at)
     SELECT gen_random_uuid(), $1, 'm', false, 'succeeded', '{}', 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
     FROM generate_series(1, 3000)`,
    [account.account, hub.now()],
  );
  await hub.db.query("ANALYZE generation");
  const due = { now: hub.now(), days: 1, limit: 10 };
  const plan = await explainPlan(hub, (other) => selectDue.input(other.db, due));
  // Neither sorted nor filtered, so that a batch reads no more than it erases.
  expect(plan).not.toMatch(/Seq Scan on generation|Sort Key: g|generation_pkey/);
  expect(plan).toMatch(/Backward using generation_newest on/);
  expect(plan).toMatch(/Backward using generation_newest_by_status/);
  expect(await explainPlan(hub, (other) => selectTransient(other.db, { now: hub.now(), limit: 10 }))).toContain(
    "generation_transient",
  );
});
