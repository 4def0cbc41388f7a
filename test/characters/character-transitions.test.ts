import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { failSupplyTimedOut } from "../../server/domain/generations/end/fail-waiting";
import { onFileStored } from "../../server/domain/generations/queue/supply";
import { listCharacters } from "../../server/domain/characters/character";
import { type Account, contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { requeueExpiredLeases } from "../../server/domain/generations/run/requeue";
import { newId } from "../../server/lib/id";
import type { Reply } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { hashOf, insertFile } from "../insert-file";
import { deriveHub } from "../derive-hub";
import { createTestTrainer } from "./test-trainer";
import {
  type Character,
  CHARACTERS,
  GENERATIONS,
  openCharacterFixture,
  type CharacterFixture,
} from "./character-fixture";

const host = await openOwnHost();
const { hub } = host;
const trainer = createTestTrainer(hub);
const PRICE = 0.0005;
const HOUR_MS = 3_600_000;
const costOf = (seconds: number) => Math.round(seconds * PRICE * 1e9) / 1e9;

let fixture: CharacterFixture;
beforeEach(async () => {
  fixture = await openCharacterFixture(host);
});

// An earlier failed test must not leave jobs in the queue.
afterEach(async () => {
  const left = await hub.db.query<{ id: string }>("SELECT id FROM generation WHERE settled_at IS NULL");
  for (const { id } of left)
    await finishGeneration(hub, { id, from: ["queued", "running", "awaiting_supply"], to: "canceled" });
});

const rejection = ({ status, body }: Reply) => [status, body.code];
const issues = ({ status, body }: Reply) => [status, Object.keys(body.errors ?? {})];
const BUSY = [409, "invalid_state"];
const NONE = [404, "resource_not_found"];

/** Creates a character whose training the trainer has leased. */
async function startTraining(fields: Record<string, unknown> = {}) {
  const character = await fixture.createDraft(fields);
  await fixture.start(character.id);
  return { id: character.id, job: await trainer.leaseJob() };
}

async function ready(fields: Record<string, unknown> = {}) {
  const { id, job } = await startTraining(fields);
  hub.clock.advance(3_000);
  await trainer.complete(job, 2);
  return fixture.getCharacter(id);
}

describe("a draft", () => {
  const valid = () => ({ name: "Ada", base_model: "sandbox-trainer", images: [fixture.image] });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["no name", { name: undefined }, ["name"]],
    ["an empty name", { name: "  " }, ["name"]],
    ["no pictures", { images: undefined }, ["images"]],
    ["an empty list of pictures", { images: [] }, ["images"]],
    ["too many pictures for its model", { images: Array(21).fill("https://pictures.example/a.png") }, ["images"]],
    ["what is no address", { images: ["https://pictures.example/a.png", "a.png"] }, ["images.1"]],
    ["an empty trigger word", { trigger_word: "" }, ["trigger_word"]],
    ["a parameter of the wrong type", { parameters: { steps: "many" } }, ["parameters.steps"]],
    ["an unknown parameter", { parameters: { stepz: 1 } }, ["parameters.stepz"]],
    ["a field among the parameters", { parameters: { images: [], steps: 3 } }, ["parameters.images"]],
    ["an unknown member", { model: "x" }, ["model"]],
    ["a model that no worker serves", { base_model: "sandbox-image" }, ["base_model"]],
    ["a text model", { base_model: "sandbox-text" }, ["base_model"]],
  ])("with %s is rejected with 400 and its location", async (_, fields, places) => {
    const body = { ...valid(), ...fields };
    expect(issues(await fixture.send("POST", CHARACTERS, body))).toEqual([400, places]);
    const { id } = await fixture.createDraft();
    // A change is checked in the same way, but no field is required.
    if (Object.values(fields)[0] === undefined) return;
    expect(issues(await fixture.send("PATCH", `${CHARACTERS}/${id}`, fields))).toEqual([400, places]);
  });

  test("of an unknown model is rejected with 404", async () => {
    const body = { ...valid(), base_model: "no-such-model" };
    expect(rejection(await fixture.send("POST", CHARACTERS, body))).toEqual([404, "model_not_found"]);
  });

  test("is changed field by field, each field as a whole", async () => {
    const made = await fixture.createDraft({ trigger_word: "a", parameters: { steps: 3 } });
    const patch = (body: unknown) => fixture.send("PATCH", `${CHARACTERS}/${made.id}`, body);
    hub.clock.advance(1_000);
    const { status, body } = await patch({ name: " Bea ", trigger_word: null, parameters: {} });
    expect([status, body]).toEqual([
      200,
      { ...made, name: "Bea", trigger_word: null, parameters: {}, updated_at: body.updated_at },
    ]);
    expect((body.updated_at as string) > made.updated_at).toBe(true);
    expect((await patch({})).status).toBe(200);
    expect(await fixture.getCharacter(made.id)).toMatchObject({ name: "Bea", images: [fixture.image] });
  });

  test("is listed newest first and page by page, until it is deleted", async () => {
    const made: Character[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(await fixture.createDraft({ name: `n ${n}` }));
    const list = async (query: string) => (await fixture.send("GET", `${CHARACTERS}?${query}`)).body;
    expect(await list("")).toEqual({ data: made, next_cursor: null });
    const { data, next_cursor } = await list("limit=3");
    expect(data).toEqual(made.slice(0, 3));
    expect(await list(`limit=3&cursor=${String(next_cursor)}`)).toEqual({ data: made.slice(3), next_cursor: null });
    const otherCustomer = await openCharacterFixture(host);
    expect(issues(await otherCustomer.send("GET", `${CHARACTERS}?cursor=${String(next_cursor)}`))).toEqual([
      400,
      ["cursor"],
    ]);
    expect(issues(await fixture.send("GET", `${CHARACTERS}?limit=101`))).toEqual([400, ["limit"]]);
    const [first, ...rest] = made;
    expect((await fixture.send("DELETE", `${CHARACTERS}/${first!.id}`)).status).toBe(204);
    expect(rejection(await fixture.send("DELETE", `${CHARACTERS}/${first!.id}`))).toEqual(NONE);
    expect(rejection(await fixture.send("GET", `${CHARACTERS}/${first!.id}`))).toEqual(NONE);
    expect((await list("")).data).toEqual(rest);
    expect((await otherCustomer.send("GET", CHARACTERS)).body.data).toEqual([]);
  });

  test("is listed by the account's own index, however many characters others have", async () => {
    const { account } = fixture.customer;
    const now = hub.now();
    await hub.db.query(
      "INSERT INTO account (email, created_at) SELECT gen_random_uuid() || '@example.org', $1 FROM generate_series(1, 50)",
      [now],
    );
    await hub.db.query(
      `INSERT INTO character (account_id, name, base_model, images, parameters, created_at, updated_at)
       SELECT account.id, 'n', 'sandbox-trainer', '{}', '{}', $1, $1 FROM generate_series(1, 400) n, account ORDER BY n`,
      [now],
    );
    await hub.db.query("ANALYZE character, account");
    let plan = "";
    const query = async (text: string, values?: unknown[]) => {
      const rows = await hub.db.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      return [];
    };
    const ctx = contextOf(
      deriveHub(hub, { db: { ...hub.db, query } }),
      { id: account } as Account,
      { kind: "user" },
      "test",
    );
    await listCharacters(ctx, { limit: 20 });
    expect(plan).toContain("using character_newest");
    expect(plan).toContain("using generation_training");
  });

  test.each(["0", "-1", "01", "1.0", "1e3", "abc", "2147483648", "99999999999999999999", newId(), "%00"])(
    "is 404 for the id %s",
    async (id) => {
      for (const [method, verb, body] of [
        ["GET", ""],
        ["PATCH", "", {}],
        ["DELETE", ""],
        ["POST", "/start", {}],
        ["POST", "/resume"],
        ["POST", "/cancel"],
      ] as const)
        expect(rejection(await fixture.send(method, `${CHARACTERS}/${id}${verb}`, body))).toEqual(NONE);
    },
  );
});

describe("a start", () => {
  test("stores its own parameters beside the character's", async () => {
    const { id } = await fixture.createDraft({ parameters: { steps: 3 } });
    expect(issues(await fixture.start(id, { parameters: { steps: 0 } }))).toEqual([400, ["parameters.steps"]]);
    expect((await fixture.start(id, { parameters: { steps: 7 } })).body).toMatchObject({ parameters: { steps: 7 } });
    const { generation_id } = await fixture.getCharacter(id);
    expect((await fixture.getGeneration(generation_id)).input).toEqual({ images: [fixture.image], steps: 7 });
    await fixture.cancel(id);
  });

  test("that costs too much is rejected with 400 or 402, and changes nothing", async () => {
    fixture = await openCharacterFixture(host, 0.05);
    const made = await fixture.createDraft();
    const parameters = { steps: 7 };
    const expensive = await fixture.start(made.id, { max_cost: 0.0599, parameters });
    expect([expensive.status, expensive.body.errors]).toEqual([
      400,
      { max_cost: ["must be at least the estimate, which is 0.06 EUR"] },
    ]);
    const poor = await fixture.start(made.id, { max_cost: 0.06, parameters });
    expect([...rejection(poor), poor.body]).toMatchObject([
      402,
      "insufficient_credits",
      { required: 0.06, available: 0.05 },
    ]);
    expect(await fixture.getCharacter(made.id)).toEqual(made);
    expect(await fixture.getAccount()).toMatchObject({ balance: 0.05, available: 0.05 });
  });

  test("names an image that is missing or another account's", async () => {
    const { image } = await openCharacterFixture(host);
    const { id } = await fixture.createDraft({ images: [fixture.image, image] });
    const { status, body } = await fixture.start(id);
    expect([status, body.errors]).toEqual([400, { "images.1": ["is not a file of this account"] }]);
  });

  test("without a body trains with the character's own parameters", async () => {
    const { id } = await fixture.createDraft();
    expect(await fixture.post(id, "start")).toMatchObject({ status: 202, body: { status: "queued" } });
  });

  test("with an invalid body is rejected with 400", async () => {
    const { id } = await fixture.createDraft();
    expect(issues(await fixture.start(id, { max_cost: -1, steps: 3 }))).toEqual([400, ["max_cost", "steps"]]);
    expect(issues(await fixture.start(id, { max_cost: "0.06" }))).toEqual([400, ["max_cost"]]);
  });

  test("of a character with a removed model is rejected with 404; it can be renamed and has no price", async () => {
    const { id } = await fixture.createDraft();
    const { catalogue } = hub;
    hub.catalogue = new Map([...catalogue].filter(([model]) => model !== "sandbox-trainer"));
    expect(rejection(await fixture.start(id))).toEqual([404, "model_not_found"]);
    expect((await fixture.send("PATCH", `${CHARACTERS}/${id}`, { name: "B" })).body).toMatchObject({
      name: "B",
      estimated_cost: null,
    });
    hub.catalogue = catalogue;
  });

  test("requires the fields that its model requires", async () => {
    const { catalogue } = hub;
    const schema =
      "{ type: object, required: [images, rank], properties: { images: { type: array, items: { type: string, format: uri } }, rank: { type: integer } } }";
    hub.catalogue = new Map([
      ...catalogue,
      ...catalogueOf(`
  - id: strict
    gpu: { price_per_second: 0.001, max_seconds: 10 }
    parameters_schema: ${schema}
    routes: [{ provider: worker }]`),
    ]);
    const { id } = await fixture.createDraft({ base_model: "strict" });
    expect(issues(await fixture.start(id))).toEqual([400, ["parameters.rank"]]);
    expect((await fixture.start(id, { parameters: { rank: 4 } })).body).toMatchObject({ estimated_cost: 0.01 });
    await fixture.cancel(id);
    hub.catalogue = catalogue;
  });

  test("is rejected unless the character is a draft", async () => {
    const { id } = await fixture.createDraft();
    expect((await fixture.start(id)).status).toBe(202);
    expect(rejection(await fixture.start(id))).toEqual(BUSY);
    await fixture.cancel(id);
    expect(rejection(await fixture.start(id))).toEqual(BUSY);
    expect(rejection(await fixture.start((await ready()).id))).toEqual(BUSY);
  });
});

test("while a training is queued or running, the character cannot be changed or deleted", async () => {
  const { id } = await fixture.createDraft();
  await fixture.start(id);
  for (const begin of [async () => undefined, trainer.leaseJob]) {
    await begin();
    expect(rejection(await fixture.send("PATCH", `${CHARACTERS}/${id}`, { name: "B" }))).toEqual(BUSY);
    expect(rejection(await fixture.send("DELETE", `${CHARACTERS}/${id}`))).toEqual(BUSY);
    expect(rejection(await fixture.resume(id))).toEqual(BUSY);
    expect((await fixture.getCharacter(id)).name).toBe("Ada");
  }
  await fixture.cancel(id);
  expect((await fixture.send("PATCH", `${CHARACTERS}/${id}`, { name: "B" })).status).toBe(200);
  expect((await fixture.send("DELETE", `${CHARACTERS}/${id}`)).status).toBe(204);
});

describe("a cancellation", () => {
  test("returns the generation, can be repeated, and is rejected for a draft or a ready character", async () => {
    const { id } = await fixture.createDraft();
    expect(rejection(await fixture.cancel(id))).toEqual(BUSY);
    await fixture.start(id);
    const canceled = await fixture.cancel(id);
    const { generation_id } = await fixture.getCharacter(id);
    expect([canceled.status, canceled.body]).toMatchObject([
      200,
      { id: generation_id, status: "canceled", billed_cost: null, provider: "worker", batch_id: null, progress: null },
    ]);
    expect(await fixture.cancel(id)).toMatchObject({ status: 200, body: canceled.body });
    expect(await fixture.getCharacter(id)).toMatchObject({
      status: "canceled",
      billed_cost: null,
      estimated_cost: 0.06,
    });
    expect(rejection(await fixture.cancel((await ready()).id))).toEqual(BUSY);
  });

  test("during the training bills the GPU time, also if the generation itself is canceled", async () => {
    for (const cancel of [
      (id: number) => fixture.cancel(id),
      async (id: number) =>
        fixture.send("POST", `${GENERATIONS}/${(await fixture.getCharacter(id)).generation_id}/cancel`),
    ]) {
      const { id, job } = await startTraining();
      hub.clock.advance(10_000);
      await trainer.report(job, 10, 0.4);
      expect(await fixture.getCharacter(id)).toMatchObject({ status: "running", progress: 0.4 });
      const { billed_cost } = (await cancel(id)).body as { billed_cost: number };
      expect(billed_cost).toBeGreaterThanOrEqual(costOf(10));
      expect(billed_cost).toBeLessThan(costOf(12));
      expect(await fixture.getCharacter(id)).toMatchObject({ status: "canceled", billed_cost, progress: 0.4 });
    }
  });
});

describe("a resumed training", () => {
  /** Cancels a training halfway, 40 seconds after its start and with 39 seconds of GPU time reported. */
  async function stopped(fields: Record<string, unknown> = {}) {
    const { id, job } = await startTraining(fields);
    hub.clock.advance(40_000);
    await trainer.report(job, 39, 0.5, { step: 5 });
    const { billed_cost } = (await fixture.cancel(id)).body as { billed_cost: number };
    return { id, billed: billed_cost, first: job.id };
  }

  test("continues from its checkpoint, is priced for the rest, and is billed in addition to the earlier cost", async () => {
    const { id, billed, first } = await stopped();
    const { available } = await fixture.getAccount();
    const resumed = await fixture.resume(id);
    // 39 seconds and some milliseconds of 120 were used.
    const left = costOf(80);
    expect([resumed.status, resumed.body]).toMatchObject([
      202,
      { status: "queued", estimated_cost: left, billed_cost: billed, progress: 0.5, missing: [] },
    ]);
    expect(resumed.body.generation_id).not.toBe(first);
    expect((await fixture.getAccount()).available).toBeCloseTo(available - left, 9);

    const job = await trainer.leaseJob();
    expect(job).toMatchObject({
      id: resumed.body.generation_id,
      checkpoint: { step: 5 },
      fence: 1,
      timeout_seconds: 80,
    });
    hub.clock.advance(30_000);
    await trainer.complete(job, 30);
    const done = await fixture.getCharacter(id);
    expect(done).toMatchObject({ status: "ready", progress: 1, generation_id: job.id });
    expect(done.billed_cost).toBeCloseTo(billed + costOf(30), 9);
    expect((await fixture.getAccount()).balance).toBeCloseTo(10 - done.billed_cost!, 9);
    expect(rejection(await fixture.resume(id))).toEqual(BUSY);
  });

  test("that is canceled before it starts keeps its checkpoint and its price", async () => {
    const { id } = await stopped();
    await fixture.resume(id);
    await fixture.cancel(id);
    expect((await fixture.resume(id)).body).toMatchObject({ estimated_cost: costOf(80), progress: 0.5 });
    expect((await trainer.leaseJob()).checkpoint).toEqual({ step: 5 });
    await fixture.cancel(id);
  });

  test("costs at least a tenth of a whole one", async () => {
    const { id, job } = await startTraining();
    for (let n = 1; n <= 2; n += 1) {
      hub.clock.advance(55_000);
      await trainer.report(job, 55 * n, 0.4 * n, { step: n });
    }
    await trainer.fail(job, 115);
    expect(await fixture.getCharacter(id)).toMatchObject({
      status: "failed",
      billed_cost: 0,
      error: { code: "provider_error" },
    });
    expect((await fixture.resume(id)).body).toMatchObject({ estimated_cost: costOf(12) });
    expect((await trainer.leaseJob()).timeout_seconds).toBe(12);
    await fixture.cancel(id);
  });

  test("without a checkpoint starts over", async () => {
    const { id, job } = await startTraining();
    hub.clock.advance(10_000);
    await trainer.report(job, 10, 0.3);
    await fixture.cancel(id);
    expect((await fixture.resume(id)).body).toMatchObject({ estimated_cost: 0.06, progress: null });
    await fixture.cancel(id);
  });

  test.each<[string, () => Record<string, unknown>, boolean]>([
    ["its name", () => ({ name: "Bea" }), true],
    ["its parameters, to what they were", () => ({ parameters: { steps: 3 } }), true],
    ["its parameters", () => ({ parameters: { steps: 4 } }), false],
    ["its trigger word", () => ({ trigger_word: "bea" }), false],
    ["its pictures", () => ({ images: [fixture.image, fixture.image] }), false],
  ])("after a change of %s starts over unless it is the same training", async (_, changes, isSameTraining) => {
    const { id } = await stopped({ parameters: { steps: 3 } });
    expect((await fixture.send("PATCH", `${CHARACTERS}/${id}`, changes())).status).toBe(200);
    const { body } = await fixture.resume(id);
    expect(body.estimated_cost).toBe(isSameTraining ? costOf(80) : 0.06);
    expect((await trainer.leaseJob()).checkpoint).toEqual(isSameTraining ? { step: 5 } : null);
    await fixture.cancel(id);
  });

  test("is rejected like a start, and stays as it was", async () => {
    fixture = await openCharacterFixture(host, 0.07);
    const { id } = await stopped();
    const before = await fixture.getCharacter(id);
    // Another generation holds the rest of the balance.
    const other = await fixture.createDraft({ base_model: "sandbox-trainer" });
    expect(rejection(await fixture.start(other.id))).toEqual([402, "insufficient_credits"]);
    await fixture.send("POST", GENERATIONS, {
      model: "sandbox-image",
      input: { prompt: "x", resolution: "4k" },
    });
    expect(rejection(await fixture.resume(id))).toEqual([402, "insufficient_credits"]);
    expect(await fixture.getCharacter(id)).toEqual(before);
  });

  test("is rejected for a draft", async () => {
    expect(rejection(await fixture.resume((await fixture.createDraft()).id))).toEqual(BUSY);
  });
});

describe("missing content", () => {
  let n = 0;
  const fresh = () => `picture ${(n += 1)}`;
  const nameOf = (content: string) => `sha256:${hashOf(content)}`;
  const missingContent = (content: string) => [{ sha256: hashOf(content), kind: "images" }];

  test("is waited for, and its upload queues the training", async () => {
    const content = fresh();
    const { id } = await fixture.createDraft({ images: [fixture.image, nameOf(content)] });
    const started = await fixture.start(id);
    const waiting = { status: "awaiting_supply", missing: missingContent(content) };
    expect([started.status, started.body]).toMatchObject([202, waiting]);
    expect(await fixture.getCharacter(id)).toMatchObject(waiting);
    const checked = await fixture.resume(id);
    expect([...rejection(checked), checked.body.missing]).toEqual([...BUSY, missingContent(content)]);
    for (const refused of [
      await fixture.start(id),
      await fixture.send("DELETE", `${CHARACTERS}/${id}`),
      await fixture.send("PATCH", `${CHARACTERS}/${id}`, { name: "B" }),
    ])
      expect(rejection(refused)).toEqual(BUSY);

    await insertFile(hub, fixture.customer.account, content);
    await onFileStored(hub, fixture.customer.account, Buffer.from(hashOf(content), "hex"));
    expect(await fixture.getCharacter(id)).toMatchObject({ status: "queued", missing: [] });
    const resumed = await fixture.resume(id);
    expect([resumed.status, resumed.body]).toMatchObject([202, { id, status: "queued", missing: [] }]);
    expect((await trainer.leaseJob()).id).toBe((await fixture.getCharacter(id)).generation_id);
    await fixture.cancel(id);
  });

  test("is not awaited by a training whose images are all there, so that it is not resumed while queued", async () => {
    const content = fresh();
    await insertFile(hub, fixture.customer.account, content);
    const { id } = await fixture.createDraft({ images: [nameOf(content)] });
    expect((await fixture.start(id)).body).toMatchObject({ status: "queued", missing: [] });
    expect(rejection(await fixture.resume(id))).toEqual(BUSY);
    await fixture.cancel(id);
  });

  test("that was stored without a notice is found by a resume", async () => {
    const content = fresh();
    const { id } = await fixture.createDraft({ images: [nameOf(content)] });
    await fixture.start(id);
    await insertFile(hub, fixture.customer.account, content);
    expect(await fixture.getCharacter(id)).toMatchObject({ status: "awaiting_supply", missing: [] });
    const resumed = await fixture.resume(id);
    expect([resumed.status, resumed.body]).toMatchObject([202, { status: "queued", missing: [] }]);
    await fixture.cancel(id);
  });

  test("that never arrives fails the training, and a resume waits for it again", async () => {
    const content = fresh();
    const { id } = await fixture.createDraft({ images: [nameOf(content)] });
    await fixture.start(id);
    hub.clock.advance(25 * HOUR_MS);
    await failSupplyTimedOut(hub);
    expect(await fixture.getCharacter(id)).toMatchObject({
      status: "failed",
      missing: missingContent(content),
      billed_cost: null,
      error: { code: "supply_timeout" },
    });
    expect((await fixture.resume(id)).body).toMatchObject({ status: "awaiting_supply", estimated_cost: 0.06 });
    expect((await fixture.cancel(id)).body).toMatchObject({ status: "canceled", missing: missingContent(content) });
  });
});

test("another worker continues an expired lease from its checkpoint, without a change of the character's status", async () => {
  const { id, job } = await startTraining();
  hub.clock.advance(10_000);
  await trainer.report(job, 10, 0.5, { step: 5 });
  // Its worker was killed.
  hub.clock.advance(61_000);
  await requeueExpiredLeases(hub);
  expect(await fixture.getCharacter(id)).toMatchObject({ status: "queued", progress: 0.5 });
  const again = await trainer.leaseJob();
  expect(again).toMatchObject({ id: job.id, fence: 2, checkpoint: { step: 5 } });
  hub.clock.advance(5_000);
  await trainer.complete(again, 5);
  expect(await fixture.getCharacter(id)).toMatchObject({ status: "ready", billed_cost: costOf(15) });
});

test("the audit finds no violation after these tests", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the audit reports a second training, and a file that would be lost", async () => {
  const { id } = await ready();
  await hub.db.query("UPDATE generation SET character_version = 1000 WHERE character_id = $1", [id]);
  await hub.db.query(
    "UPDATE file SET expires_at = $2 FROM generation g WHERE g.id = file.generation_id AND g.character_id = $1",
    [id, hub.now()],
  );
  expect((await runAudit(hub.db)).violations).toMatchObject([
    { subject: `character ${id}` },
    { subject: expect.stringMatching(/^file /) as string },
  ]);
});
