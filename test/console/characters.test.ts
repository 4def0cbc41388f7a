import { beforeEach, expect, test } from "vitest";
import { testTrainerOf } from "../characters/test-trainer";
import { picture } from "../characters/character-fixture";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { hashOf, keepFile } from "../keep-file";
import { explainPlan } from "../explain-plan";
import { newPerson } from "./caller";

const hub = await testHub({ BASE_URL: "https://hub.test" });
const apprentice = testTrainerOf(hub);
const addressOf = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
const base = { base_model: "sandbox-trainer", trigger_word: null, parameters: {} };

let person: Awaited<ReturnType<typeof newPerson>>;
beforeEach(async () => {
  person = await newPerson(hub);
});
const keep = async (account = person.account) => keepFile(hub, account, await picture("#c02020"));
const draft = async (images: string[], name = "Ada") =>
  String((await person.console.characters.create({ ...base, name, images })).id);

test("a list shows the pictures that are the account's own and still there, four at most", async () => {
  const [own, later, foreign] = [await keep(), await keep(), await keep((await newPerson(hub)).account)];
  const outside = "https://example.com/ada.png";
  await draft([addressOf(own), addressOf(foreign), outside, `sha256:${hashOf("x")}`, addressOf(later)]);
  const { data, next_cursor } = await person.console.characters.list({});
  expect(next_cursor).toBeNull();
  expect(data).toMatchObject([{ name: "Ada", status: "draft", estimated_cost: 0.06, outputs: [] }]);
  expect(data[0]!.images).toHaveLength(5);
  const file = { url: addressOf(own), media_type: "image/png", size: expect.any(Number) as number };
  expect(data[0]!.pictures).toEqual([
    { text: addressOf(own), file: { ...file, expires_at: expect.any(String) as string } },
    { text: addressOf(foreign), file: null },
    { text: outside, file: null },
    { text: `sha256:${hashOf("x")}`, file: null },
  ]);
  await person.console.files.delete({ id: own });
  expect((await person.console.characters.list({})).data[0]!.pictures[0]!.file).toBeNull();
});

test("a picture that is named by its hash is the account's own file, the one that lives longest", async () => {
  const same = await picture("#2020c0");
  const sooner = await keepFile(hub, person.account, same);
  const later = await keepFile(hub, person.account, same, { hours: 48 });
  await keepFile(hub, (await newPerson(hub)).account, Buffer.from("another's"));
  const id = await draft([`sha256:${hashOf(same)}`, addressOf(sooner), `sha256:${hashOf("another's")}`]);
  const addresses = async () =>
    (await person.console.characters.get({ id })).pictures.map(({ file }) => file && file.url);
  expect(await addresses()).toEqual([addressOf(later), addressOf(sooner), null]);
  await person.console.files.delete({ id: later });
  expect(await addresses()).toEqual([addressOf(sooner), addressOf(sooner), null]);
  await person.console.files.delete({ id: sooner });
  expect(await addresses()).toEqual([null, null, null]);
});

test("a page of the list is one statement, however many pictures there are", async () => {
  const file = addressOf(await keep());
  for (let count = 0; count < 3; count += 1) await draft([file, file], `n ${count}`);
  let asked = 0;
  const query: typeof hub.db.query = (text, values) => ((asked += 1), hub.db.query(text, values));
  const counted = person.consoleOn(deriveHub(hub, { db: { ...hub.db, query } }));
  expect((await counted.characters.list({})).data).toHaveLength(3);
  expect((await counted.workers.list()).models).toHaveLength(1);
  expect(asked).toBe(2);
});

test("pictures are looked up by indexes, by address and by hash, however many files there are", async () => {
  await hub.db.query(
    `INSERT INTO file (id, account_id, media_type, sha256, created_at, stored_at, expires_at)
     SELECT gen_random_uuid(), $1, 'image/png', sha256(n::text::bytea), now(), now(), now() + interval '1 day'
     FROM generate_series(1, 10000) AS n`,
    [person.account],
  );
  await hub.db.query("ANALYZE file");
  const plan = await explainPlan(hub, (h) => person.consoleOn(h).characters.list({}));
  expect(plan).toMatch(/Index Scan using file_(newest|pkey) on file .*\n.*\bid = /);
  expect(plan).toMatch(/Index Scan using file_stored_sha256 on file .*\n.*\bsha256 = /);
  expect(plan).not.toContain("Seq Scan on file");
});

test("a character's page follows it from the draft over a cancellation to the end, with all that it cost", async () => {
  const { characters } = person.console;
  const id = await draft([addressOf(await keep())]);
  expect(await characters.get({ id })).toMatchObject({ status: "draft", trainings: [], resume: null });
  await expect(characters.start({ id, max_cost: 0.0599 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await characters.start({ id, max_cost: 0.06 })).toMatchObject({ status: "queued" });
  const first = await apprentice.take();
  hub.clock.advance(40_000);
  await apprentice.report(first, 40, 0.4, { step: 4 });
  expect(await characters.get({ id })).toMatchObject({ status: "running", resume: null });
  expect(await characters.cancel({ id })).toMatchObject({ id: first.id, status: "canceled" });

  const stopped = await characters.get({ id });
  expect(stopped).toMatchObject({ status: "canceled", resume: { from: expect.closeTo(0.4) as number } });
  const resumed = await characters.resume({ id });
  expect(resumed.estimated_cost).toBe(stopped.resume!.estimated_cost);
  expect(resumed.estimated_cost).toBeLessThan(0.06);
  const second = await apprentice.take();
  hub.clock.advance(10_000);
  await apprentice.complete(second, 10);
  const ready = await characters.get({ id });
  expect(ready).toMatchObject({ status: "ready", resume: null, outputs: [{ media_type: "application/json" }] });
  expect(ready.trainings).toMatchObject([
    { id: second.id, status: "succeeded", billed_cost: 0.005 },
    { id: first.id, status: "canceled" },
  ]);
  const nano = (euros: number | null) => Math.round(euros! * 1e9);
  expect(nano(ready.billed_cost)).toBe(ready.trainings.reduce((sum, { billed_cost }) => sum + nano(billed_cost), 0));
});

test("what failed without a checkpoint, or was changed since, begins anew at the whole price", async () => {
  const { characters } = person.console;
  const id = await draft([addressOf(await keep())]);
  await characters.start({ id });
  const taken = await apprentice.take();
  hub.clock.advance(30_000);
  await apprentice.report(taken, 30, 0.3, { step: 3 });
  await apprentice.fail(taken, 30);
  expect(await characters.get({ id })).toMatchObject({
    status: "failed",
    resume: { from: expect.any(Number) as number },
  });
  await characters.update({ id, changes: { trigger_word: "ada42" } });
  expect((await characters.get({ id })).resume).toEqual({ estimated_cost: 0.06, from: null });
});

test("the models that can train are those that workers serve and that take pictures", async () => {
  expect(await person.console.characters.baseModels()).toMatchObject([{ id: "sandbox-trainer", estimated_cost: 0.06 }]);
});

test("nobody sees, starts or changes somebody else's", async () => {
  const id = await draft([addressOf(await keep())]);
  const { characters } = (await newPerson(hub)).console;
  expect((await characters.list({})).data).toEqual([]);
  const asks = [
    ...[characters.get, characters.start, characters.resume, characters.cancel, characters.delete].map(
      (ask) => () => ask({ id }),
    ),
    () => characters.update({ id, changes: { name: "mine" } }),
  ];
  for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: "NOT_FOUND" });
});
