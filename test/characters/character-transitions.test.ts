import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { onFileStored, failSupplyTimedOut } from "../../server/domain/generations/supply";
import { listCharacters } from "../../server/domain/characters/find-characters";
import { type Account, contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { finishGeneration } from "../../server/domain/generations/finish";
import { requeueExpiredLeases } from "../../server/domain/generations/requeue";
import { newId } from "../../server/lib/id";
import type { Reply } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { hashOf, keepFile } from "../keep-file";
import { deriveHub } from "../derive-hub";
import { testTrainerOf } from "./test-trainer";
import {
  type Character,
  CHARACTERS,
  GENERATIONS,
  openCharacterFixture,
  type CharacterFixture,
} from "./character-fixture";

const host = await openOwnHost();
const { hub } = host;
const apprentice = testTrainerOf(hub);
const PRICE = 0.0005;
const HOUR_MS = 3_600_000;
const costOf = (seconds: number) => Math.round(seconds * PRICE * 1e9) / 1e9;

let studio: CharacterFixture;
beforeEach(async () => {
  studio = await openCharacterFixture(host);
});

// A test that failed leaves the others an empty queue.
afterEach(async () => {
  const left = await hub.db.query<{ id: string }>("SELECT id FROM generation WHERE settled_at IS NULL");
  for (const { id } of left)
    await finishGeneration(hub, { id, from: ["queued", "running", "awaiting_supply"], to: "canceled" });
});

const refusal = ({ status, body }: Reply) => [status, body.code];
const faults = ({ status, body }: Reply) => [status, Object.keys(body.errors ?? {})];
const BUSY = [409, "invalid_state"];
const NONE = [404, "resource_not_found"];

/** A character whose training an apprentice has just taken. */
async function taken(fields: Record<string, unknown> = {}) {
  const character = await studio.draft(fields);
  await studio.start(character.id);
  return { id: character.id, job: await apprentice.take() };
}

async function ready(fields: Record<string, unknown> = {}) {
  const { id, job } = await taken(fields);
  hub.clock.advance(3_000);
  await apprentice.complete(job, 2);
  return studio.read(id);
}

describe("a draft", () => {
  const valid = () => ({ name: "Ada", base_model: "sandbox-trainer", images: [studio.image] });

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
  ])("with %s is 400, by its place", async (_, fields, places) => {
    const body = { ...valid(), ...fields };
    expect(faults(await studio.ask("POST", CHARACTERS, body))).toEqual([400, places]);
    const { id } = await studio.draft();
    // A change is checked in the same way; nothing has to be given.
    if (Object.values(fields)[0] === undefined) return;
    expect(faults(await studio.ask("PATCH", `${CHARACTERS}/${id}`, fields))).toEqual([400, places]);
  });

  test("of an unknown model is 404", async () => {
    const body = { ...valid(), base_model: "no-such-model" };
    expect(refusal(await studio.ask("POST", CHARACTERS, body))).toEqual([404, "model_not_found"]);
  });

  test("is changed field by field, each as a whole", async () => {
    const made = await studio.draft({ trigger_word: "a", parameters: { steps: 3 } });
    const patch = (body: unknown) => studio.ask("PATCH", `${CHARACTERS}/${made.id}`, body);
    hub.clock.advance(1_000);
    const { status, body } = await patch({ name: " Bea ", trigger_word: null, parameters: {} });
    expect([status, body]).toEqual([
      200,
      { ...made, name: "Bea", trigger_word: null, parameters: {}, updated_at: body.updated_at },
    ]);
    expect((body.updated_at as string) > made.updated_at).toBe(true);
    expect((await patch({})).status).toBe(200);
    expect(await studio.read(made.id)).toMatchObject({ name: "Bea", images: [studio.image] });
  });

  test("is listed, newest first and page by page, until it is deleted", async () => {
    const made: Character[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(await studio.draft({ name: `n ${n}` }));
    const list = async (query: string) => (await studio.ask("GET", `${CHARACTERS}?${query}`)).body;
    expect(await list("")).toEqual({ data: made, next_cursor: null });
    const { data, next_cursor } = await list("limit=3");
    expect(data).toEqual(made.slice(0, 3));
    expect(await list(`limit=3&cursor=${String(next_cursor)}`)).toEqual({ data: made.slice(3), next_cursor: null });
    const stranger = await openCharacterFixture(host);
    expect(faults(await stranger.ask("GET", `${CHARACTERS}?cursor=${String(next_cursor)}`))).toEqual([400, ["cursor"]]);
    expect(faults(await studio.ask("GET", `${CHARACTERS}?limit=101`))).toEqual([400, ["limit"]]);
    const [first, ...rest] = made;
    expect((await studio.ask("DELETE", `${CHARACTERS}/${first!.id}`)).status).toBe(204);
    expect(refusal(await studio.ask("DELETE", `${CHARACTERS}/${first!.id}`))).toEqual(NONE);
    expect(refusal(await studio.ask("GET", `${CHARACTERS}/${first!.id}`))).toEqual(NONE);
    expect((await list("")).data).toEqual(rest);
    expect((await stranger.ask("GET", CHARACTERS)).body.data).toEqual([]);
  });

  test("is found in a list by the account's own index, however many others have", async () => {
    const { account } = studio.customer;
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
    "under the id %s is 404",
    async (id) => {
      for (const [method, verb, body] of [
        ["GET", ""],
        ["PATCH", "", {}],
        ["DELETE", ""],
        ["POST", "/start", {}],
        ["POST", "/resume"],
        ["POST", "/cancel"],
      ] as const)
        expect(refusal(await studio.ask(method, `${CHARACTERS}/${id}${verb}`, body))).toEqual(NONE);
    },
  );
});

describe("a start", () => {
  test("keeps its parameters, beside the character's own", async () => {
    const { id } = await studio.draft({ parameters: { steps: 3 } });
    expect(faults(await studio.start(id, { parameters: { steps: 0 } }))).toEqual([400, ["parameters.steps"]]);
    expect((await studio.start(id, { parameters: { steps: 7 } })).body).toMatchObject({ parameters: { steps: 7 } });
    const { generation_id } = await studio.read(id);
    expect((await studio.generation(generation_id)).input).toEqual({ images: [studio.image], steps: 7 });
    await studio.cancel(id);
  });

  test("that costs too much is 400 or 402, and changes nothing", async () => {
    studio = await openCharacterFixture(host, 0.05);
    const made = await studio.draft();
    const parameters = { steps: 7 };
    const dear = await studio.start(made.id, { max_cost: 0.0599, parameters });
    expect([dear.status, dear.body.errors]).toEqual([
      400,
      { max_cost: ["must be at least the estimate, which is 0.06 EUR"] },
    ]);
    const poor = await studio.start(made.id, { max_cost: 0.06, parameters });
    expect([...refusal(poor), poor.body]).toMatchObject([
      402,
      "insufficient_credits",
      { required: 0.06, available: 0.05 },
    ]);
    expect(await studio.read(made.id)).toEqual(made);
    expect(await studio.me()).toMatchObject({ balance: 0.05, available: 0.05 });
  });

  test("names the picture that is not there, or not the account's", async () => {
    const { image } = await openCharacterFixture(host);
    const { id } = await studio.draft({ images: [studio.image, image] });
    const { status, body } = await studio.start(id);
    expect([status, body.errors]).toEqual([400, { "images.1": ["is not a file of this account"] }]);
  });

  test("without a body trains with the character's own parameters", async () => {
    const { id } = await studio.draft();
    expect(await studio.post(id, "start")).toMatchObject({ status: 202, body: { status: "queued" } });
  });

  test("with a strange body is 400", async () => {
    const { id } = await studio.draft();
    expect(faults(await studio.start(id, { max_cost: -1, steps: 3 }))).toEqual([400, ["max_cost", "steps"]]);
    expect(faults(await studio.start(id, { max_cost: "0.06" }))).toEqual([400, ["max_cost"]]);
  });

  test("of a character whose model is gone is 404; it can still be renamed, and shows no price", async () => {
    const { id } = await studio.draft();
    const { catalogue } = hub;
    hub.catalogue = new Map([...catalogue].filter(([model]) => model !== "sandbox-trainer"));
    expect(refusal(await studio.start(id))).toEqual([404, "model_not_found"]);
    expect((await studio.ask("PATCH", `${CHARACTERS}/${id}`, { name: "B" })).body).toMatchObject({
      ...{ name: "B", estimated_cost: null },
    });
    hub.catalogue = catalogue;
  });

  test("needs what its model requires", async () => {
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
    const { id } = await studio.draft({ base_model: "strict" });
    expect(faults(await studio.start(id))).toEqual([400, ["parameters.rank"]]);
    expect((await studio.start(id, { parameters: { rank: 4 } })).body).toMatchObject({ estimated_cost: 0.01 });
    await studio.cancel(id);
    hub.catalogue = catalogue;
  });

  test("is for drafts only", async () => {
    const { id } = await studio.draft();
    expect((await studio.start(id)).status).toBe(202);
    expect(refusal(await studio.start(id))).toEqual(BUSY);
    await studio.cancel(id);
    expect(refusal(await studio.start(id))).toEqual(BUSY);
    expect(refusal(await studio.start((await ready()).id))).toEqual(BUSY);
  });
});

test("while a training is queued or runs, the character is neither changed nor deleted", async () => {
  const { id } = await studio.draft();
  await studio.start(id);
  for (const begin of [async () => undefined, apprentice.take]) {
    await begin();
    expect(refusal(await studio.ask("PATCH", `${CHARACTERS}/${id}`, { name: "B" }))).toEqual(BUSY);
    expect(refusal(await studio.ask("DELETE", `${CHARACTERS}/${id}`))).toEqual(BUSY);
    expect(refusal(await studio.resume(id))).toEqual(BUSY);
    expect((await studio.read(id)).name).toBe("Ada");
  }
  await studio.cancel(id);
  expect((await studio.ask("PATCH", `${CHARACTERS}/${id}`, { name: "B" })).status).toBe(200);
  expect((await studio.ask("DELETE", `${CHARACTERS}/${id}`)).status).toBe(204);
});

describe("a cancellation", () => {
  test("answers the generation, as often as it is asked, and is none of a draft or a ready character", async () => {
    const { id } = await studio.draft();
    expect(refusal(await studio.cancel(id))).toEqual(BUSY);
    await studio.start(id);
    const canceled = await studio.cancel(id);
    const { generation_id } = await studio.read(id);
    expect([canceled.status, canceled.body]).toMatchObject([
      200,
      { id: generation_id, status: "canceled", billed_cost: null, provider: "worker", batch_id: null, progress: null },
    ]);
    expect(await studio.cancel(id)).toMatchObject({ status: 200, body: canceled.body });
    expect(await studio.read(id)).toMatchObject({ status: "canceled", billed_cost: null, estimated_cost: 0.06 });
    expect(refusal(await studio.cancel((await ready()).id))).toEqual(BUSY);
  });

  test("in the middle bills the GPU time, also through the generation itself", async () => {
    for (const cancel of [
      (id: number) => studio.cancel(id),
      async (id: number) => studio.ask("POST", `${GENERATIONS}/${(await studio.read(id)).generation_id}/cancel`),
    ]) {
      const { id, job } = await taken();
      hub.clock.advance(10_000);
      await apprentice.report(job, 10, 0.4);
      expect(await studio.read(id)).toMatchObject({ status: "running", progress: 0.4 });
      const { billed_cost } = (await cancel(id)).body as { billed_cost: number };
      expect(billed_cost).toBeGreaterThanOrEqual(costOf(10));
      expect(billed_cost).toBeLessThan(costOf(12));
      expect(await studio.read(id)).toMatchObject({ status: "canceled", billed_cost, progress: 0.4 });
    }
  });
});

describe("a training that is resumed", () => {
  /** Cancels one at half its way, 40 seconds of GPU time later. */
  async function stopped(fields: Record<string, unknown> = {}) {
    const { id, job } = await taken(fields);
    hub.clock.advance(40_000);
    await apprentice.report(job, 39, 0.5, { step: 5 });
    const { billed_cost } = (await studio.cancel(id)).body as { billed_cost: number };
    return { id, billed: billed_cost, first: job.id };
  }

  test("goes on from its checkpoint, is priced on what is left, and is billed beside what it cost before", async () => {
    const { id, billed, first } = await stopped();
    const { available } = await studio.me();
    const resumed = await studio.resume(id);
    // 39 seconds and some milliseconds were used, of 120.
    const left = costOf(80);
    expect([resumed.status, resumed.body]).toMatchObject([
      202,
      { status: "queued", estimated_cost: left, billed_cost: billed, progress: 0.5, missing: [] },
    ]);
    expect(resumed.body.generation_id).not.toBe(first);
    expect((await studio.me()).available).toBeCloseTo(available - left, 9);

    const job = await apprentice.take();
    expect(job).toMatchObject({
      id: resumed.body.generation_id,
      checkpoint: { step: 5 },
      fence: 1,
      timeout_seconds: 80,
    });
    hub.clock.advance(30_000);
    await apprentice.complete(job, 30);
    const done = await studio.read(id);
    expect(done).toMatchObject({ status: "ready", progress: 1, generation_id: job.id });
    expect(done.billed_cost).toBeCloseTo(billed + costOf(30), 9);
    expect((await studio.me()).balance).toBeCloseTo(10 - done.billed_cost!, 9);
    expect(refusal(await studio.resume(id))).toEqual(BUSY);
  });

  test("and canceled before it began still has its checkpoint and its price", async () => {
    const { id } = await stopped();
    await studio.resume(id);
    await studio.cancel(id);
    expect((await studio.resume(id)).body).toMatchObject({ estimated_cost: costOf(80), progress: 0.5 });
    expect((await apprentice.take()).checkpoint).toEqual({ step: 5 });
    await studio.cancel(id);
  });

  test("costs at least a tenth of a whole one", async () => {
    const { id, job } = await taken();
    for (let n = 1; n <= 2; n += 1) {
      hub.clock.advance(55_000);
      await apprentice.report(job, 55 * n, 0.4 * n, { step: n });
    }
    await apprentice.fail(job, 115);
    expect(await studio.read(id)).toMatchObject({
      status: "failed",
      billed_cost: 0,
      error: { code: "provider_error" },
    });
    expect((await studio.resume(id)).body).toMatchObject({ estimated_cost: costOf(12) });
    expect((await apprentice.take()).timeout_seconds).toBe(12);
    await studio.cancel(id);
  });

  test("without a checkpoint begins anew", async () => {
    const { id, job } = await taken();
    hub.clock.advance(10_000);
    await apprentice.report(job, 10, 0.3);
    await studio.cancel(id);
    expect((await studio.resume(id)).body).toMatchObject({ estimated_cost: 0.06, progress: null });
    await studio.cancel(id);
  });

  test.each<[string, () => Record<string, unknown>, boolean]>([
    ["its name", () => ({ name: "Bea" }), true],
    ["its parameters, to what they were", () => ({ parameters: { steps: 3 } }), true],
    ["its parameters", () => ({ parameters: { steps: 4 } }), false],
    ["its trigger word", () => ({ trigger_word: "bea" }), false],
    ["its pictures", () => ({ images: [studio.image, studio.image] }), false],
  ])("after a change of %s begins anew unless it is the same training", async (_, changes, same) => {
    const { id } = await stopped({ parameters: { steps: 3 } });
    expect((await studio.ask("PATCH", `${CHARACTERS}/${id}`, changes())).status).toBe(200);
    const { body } = await studio.resume(id);
    expect(body.estimated_cost).toBe(same ? costOf(80) : 0.06);
    expect((await apprentice.take()).checkpoint).toEqual(same ? { step: 5 } : null);
    await studio.cancel(id);
  });

  test("is refused like a start, and stays as it was", async () => {
    studio = await openCharacterFixture(host, 0.07);
    const { id } = await stopped();
    const before = await studio.read(id);
    // What is left of the credit is held by another.
    const other = await studio.draft({ base_model: "sandbox-trainer" });
    expect(refusal(await studio.start(other.id))).toEqual([402, "insufficient_credits"]);
    await studio.ask("POST", GENERATIONS, {
      model: "sandbox-image",
      input: { prompt: "x", resolution: "4k" },
    });
    expect(refusal(await studio.resume(id))).toEqual([402, "insufficient_credits"]);
    expect(await studio.read(id)).toEqual(before);
  });

  test("is none of a draft", async () => {
    expect(refusal(await studio.resume((await studio.draft()).id))).toEqual(BUSY);
  });
});

describe("supply", () => {
  let n = 0;
  const fresh = () => `picture ${(n += 1)}`;
  const nameOf = (content: string) => `sha256:${hashOf(content)}`;
  const lack = (content: string) => [{ sha256: hashOf(content), kind: "images" }];

  test("that is missing is waited for, and the training is queued when it is there", async () => {
    const content = fresh();
    const { id } = await studio.draft({ images: [studio.image, nameOf(content)] });
    const started = await studio.start(id);
    const waiting = { status: "awaiting_supply", missing: lack(content) };
    expect([started.status, started.body]).toMatchObject([202, waiting]);
    expect(await studio.read(id)).toMatchObject(waiting);
    const looked = await studio.resume(id);
    expect([...refusal(looked), looked.body.missing]).toEqual([...BUSY, lack(content)]);
    for (const refused of [
      await studio.start(id),
      await studio.ask("DELETE", `${CHARACTERS}/${id}`),
      await studio.ask("PATCH", `${CHARACTERS}/${id}`, { name: "B" }),
    ])
      expect(refusal(refused)).toEqual(BUSY);

    await keepFile(hub, studio.customer.account, content);
    await onFileStored(hub, studio.customer.account, Buffer.from(hashOf(content), "hex"));
    expect(await studio.read(id)).toMatchObject({ status: "queued", missing: [] });
    expect((await apprentice.take()).id).toBe((await studio.read(id)).generation_id);
    await studio.cancel(id);
  });

  test("whose arrival nobody told is seen by a resume", async () => {
    const content = fresh();
    const { id } = await studio.draft({ images: [nameOf(content)] });
    await studio.start(id);
    await keepFile(hub, studio.customer.account, content);
    expect(await studio.read(id)).toMatchObject({ status: "awaiting_supply", missing: [] });
    const resumed = await studio.resume(id);
    expect([resumed.status, resumed.body]).toMatchObject([202, { status: "queued", missing: [] }]);
    await studio.cancel(id);
  });

  test("that never came fails the training, and a resume waits for it again", async () => {
    const content = fresh();
    const { id } = await studio.draft({ images: [nameOf(content)] });
    await studio.start(id);
    hub.clock.advance(25 * HOUR_MS);
    await failSupplyTimedOut(hub);
    expect(await studio.read(id)).toMatchObject({
      ...{ status: "failed", missing: lack(content), billed_cost: null },
      error: { code: "supply_timeout" },
    });
    expect((await studio.resume(id)).body).toMatchObject({ status: "awaiting_supply", estimated_cost: 0.06 });
    expect((await studio.cancel(id)).body).toMatchObject({ status: "canceled", missing: lack(content) });
  });
});

test("a lease that lapses is another worker's, with its checkpoint; the character stays what it is", async () => {
  const { id, job } = await taken();
  hub.clock.advance(10_000);
  await apprentice.report(job, 10, 0.5, { step: 5 });
  // Its worker was killed.
  hub.clock.advance(61_000);
  await requeueExpiredLeases(hub);
  expect(await studio.read(id)).toMatchObject({ status: "queued", progress: 0.5 });
  const again = await apprentice.take();
  expect(again).toMatchObject({ id: job.id, fence: 2, checkpoint: { step: 5 } });
  hub.clock.advance(5_000);
  await apprentice.complete(again, 5);
  expect(await studio.read(id)).toMatchObject({ status: "ready", billed_cost: costOf(15) });
});

test("after all of it, the audit finds nothing", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("the audit finds a second training, and a file that would be lost", async () => {
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
