import { beforeEach, expect, test } from "vitest";
import { createTestTrainer } from "../characters/test-trainer";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { hashOf, insertFile } from "../insert-file";
import { explainPlan } from "../explain-plan";
import { makePng } from "../media/png";
import { newConsoleUser } from "./console-user";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const trainer = createTestTrainer(hub);
const addressOf = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
const base = { base_model: "sandbox-trainer", trigger_word: null, parameters: {} };

let user: Awaited<ReturnType<typeof newConsoleUser>>;
beforeEach(async () => {
  user = await newConsoleUser(hub);
});
const keep = async (account = user.account) => insertFile(hub, account, await makePng("#c02020"));
const draft = async (images: string[], name = "Ada") =>
  String((await user.console.characters.create({ ...base, name, images })).id);

test("lists at most four images per character: the account's own that still exist", async () => {
  const [own, later, otherAccountsFile] = [await keep(), await keep(), await keep((await newConsoleUser(hub)).account)];
  const externalUrl = "https://example.com/ada.png";
  await draft([addressOf(own), addressOf(otherAccountsFile), externalUrl, `sha256:${hashOf("x")}`, addressOf(later)]);
  const { data, next_cursor } = await user.console.characters.list({});
  expect(next_cursor).toBeNull();
  expect(data).toMatchObject([{ name: "Ada", status: "draft", estimated_cost: 0.06, outputs: [] }]);
  expect(data[0]!.images).toHaveLength(5);
  const file = { url: addressOf(own), name: null, media_type: "image/png", size: expect.any(Number) as number };
  expect(data[0]!.pictures).toEqual([
    { text: addressOf(own), file: { ...file, expires_at: expect.any(String) as string } },
    { text: addressOf(otherAccountsFile), file: null },
    { text: externalUrl, file: null },
    { text: `sha256:${hashOf("x")}`, file: null },
  ]);
  await user.console.files.delete({ ids: [own] });
  expect((await user.console.characters.list({})).data[0]!.pictures[0]!.file).toBeNull();
});

test("resolves an image hash to the account's own file that expires last", async () => {
  const same = await makePng("#2020c0");
  const sooner = await insertFile(hub, user.account, same);
  const later = await insertFile(hub, user.account, same, { hours: 48 });
  await insertFile(hub, (await newConsoleUser(hub)).account, Buffer.from("another's"));
  const id = await draft([`sha256:${hashOf(same)}`, addressOf(sooner), `sha256:${hashOf("another's")}`]);
  const addresses = async () =>
    (await user.console.characters.get({ id })).pictures.map(({ file }) => file && file.url);
  expect(await addresses()).toEqual([addressOf(later), addressOf(sooner), null]);
  await user.console.files.delete({ ids: [later] });
  expect(await addresses()).toEqual([addressOf(sooner), addressOf(sooner), null]);
  await user.console.files.delete({ ids: [sooner] });
  expect(await addresses()).toEqual([null, null, null]);
});

test("lists a page in one statement, however many images there are", async () => {
  const file = addressOf(await keep());
  for (let count = 0; count < 3; count += 1) await draft([file, file], `n ${count}`);
  let requested = 0;
  const query: typeof hub.db.query = (text, values) => ((requested += 1), hub.db.query(text, values));
  const statements = user.consoleOn(deriveHub(hub, { db: { ...hub.db, query } }));
  expect((await statements.characters.list({})).data).toHaveLength(3);
  expect((await statements.workers.list()).models).toHaveLength(1);
  expect(requested).toBe(2);
});

test("looks up images by indexes, by URL and by hash, however many files there are", async () => {
  await hub.db.query(
    `INSERT INTO file (id, account_id, media_type, sha256, created_at, stored_at, expires_at)
     SELECT gen_random_uuid(), $1, 'image/png', sha256(n::text::bytea), now(), now(), now() + interval '1 day'
     FROM generate_series(1, 10000) AS n`,
    [user.account],
  );
  await hub.db.query("ANALYZE file");
  const plan = await explainPlan(hub, (h) => user.consoleOn(h).characters.list({}));
  expect(plan).toMatch(/Index Scan using file_(newest|pkey) on file .*\n.*\bid = /);
  expect(plan).toMatch(/Index Scan using file_stored_sha256 on file .*\n.*\bsha256 = /);
  expect(plan).not.toContain("Seq Scan on file");
});

test("a character's page shows its states from the draft to the end, with the total cost", async () => {
  const { characters } = user.console;
  const id = await draft([addressOf(await keep())]);
  expect(await characters.get({ id })).toMatchObject({ status: "draft", trainings: [], resume: null });
  await expect(characters.start({ id, max_cost: 0.0599 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await characters.start({ id, max_cost: 0.06 })).toMatchObject({ status: "queued" });
  const first = await trainer.leaseJob();
  hub.clock.advance(40_000);
  await trainer.report(first, 40, 0.4, { step: 4 });
  expect(await characters.get({ id })).toMatchObject({ status: "running", resume: null });
  expect(await characters.cancel({ id })).toMatchObject({ id: first.id, status: "canceled" });

  const stopped = await characters.get({ id });
  expect(stopped).toMatchObject({ status: "canceled", resume: { from: expect.closeTo(0.4) as number } });
  const resumed = await characters.resume({ id });
  expect(resumed.estimated_cost).toBe(stopped.resume!.estimated_cost);
  expect(resumed.estimated_cost).toBeLessThan(0.06);
  const second = await trainer.leaseJob();
  hub.clock.advance(10_000);
  await trainer.complete(second, 10);
  const ready = await characters.get({ id });
  expect(ready).toMatchObject({ status: "ready", resume: null, outputs: [{ media_type: "application/json" }] });
  expect(ready.trainings).toMatchObject([
    { id: second.id, status: "succeeded", billed_cost: 0.005 },
    { id: first.id, status: "canceled" },
  ]);
  const nano = (euros: number | null) => Math.round(euros! * 1e9);
  expect(nano(ready.billed_cost)).toBe(ready.trainings.reduce((sum, { billed_cost }) => sum + nano(billed_cost), 0));
});

test("shows the whole price for a training without a checkpoint or with changed fields", async () => {
  const { characters } = user.console;
  const id = await draft([addressOf(await keep())]);
  await characters.start({ id });
  const taken = await trainer.leaseJob();
  hub.clock.advance(30_000);
  await trainer.report(taken, 30, 0.3, { step: 3 });
  await trainer.fail(taken, 30);
  expect(await characters.get({ id })).toMatchObject({
    status: "failed",
    resume: { from: expect.any(Number) as number },
  });
  await characters.update({ id, changes: { trigger_word: "ada42" } });
  expect((await characters.get({ id })).resume).toEqual({ estimated_cost: 0.06, from: null });
});

test("lists models of workers that accept images as base models", async () => {
  expect(await user.console.characters.baseModels()).toMatchObject([{ id: "sandbox-trainer", estimated_cost: 0.06 }]);
});

test("hides another account's characters, and rejects starting or changing them", async () => {
  const id = await draft([addressOf(await keep())]);
  const { characters } = (await newConsoleUser(hub)).console;
  expect((await characters.list({})).data).toEqual([]);
  const asks = [
    ...[characters.get, characters.start, characters.resume, characters.cancel, characters.delete].map(
      (callProcedure) => () => callProcedure({ id }),
    ),
    () => characters.update({ id, changes: { name: "mine" } }),
  ];
  for (const callProcedure of asks) await expect(callProcedure()).rejects.toMatchObject({ code: "NOT_FOUND" });
});
