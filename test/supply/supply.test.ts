import { beforeEach, expect, test } from "vitest";
import { failSupplyTimedOut, queueSupplied, onFileStored } from "../../server/domain/generations/supply";
import { runAudit } from "../../server/domain/audit/audit";
import { storeOutput } from "../../server/domain/files/store-output";
import { markRunning } from "../../server/domain/generations/mark-running";
import { finishGeneration } from "../../server/domain/generations/finish";
import { newId } from "../../server/lib/id";
import { call } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { hashOf, keepFile } from "../keep-file";

const host = await openOwnHost();
const { hub } = host;
const PATH = "/api/v1/hub/generations";
const HOUR_MS = 3_600_000;
const PRICE = 0.0092;

let customer: Customer;
let contents = 0;
beforeEach(async () => {
  customer = await newCustomer(hub, { credit: 1 });
  hub.published.splice(0);
});

const fresh = () => `content ${(contents += 1)}`;
const named = (...all: string[]) => all.map((content) => `sha256:${hashOf(content)}`);
const lack = (...all: string[]) => all.map((content) => ({ sha256: hashOf(content), kind: "image_input" }));
const urlOf = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
const upload = async (content: string, { account } = customer) => {
  const id = await keepFile(hub, account, content);
  await onFileStored(hub, account, Buffer.from(hashOf(content), "hex"));
  return id;
};
const create = (image_input: unknown, headers: Record<string, string> = {}, { key } = customer) =>
  call(host, "POST", PATH, {
    key,
    headers,
    body: { model: "sandbox-image", input: { prompt: "a tree", image_input } },
  });
const get = async (id: unknown, { key } = customer) => (await call(host, "GET", `${PATH}/${String(id)}`, { key })).body;
const available = async ({ key } = customer) => (await call(host, "GET", "/api/v1/me", { key })).body.available;
const nudged = () => hub.published.splice(0).map(({ data }) => (data as { id: string }).id);

test("a hash that is not held is waited for, its hold kept, and what arrives is taken off until all is there", async () => {
  const [a, b] = [fresh(), fresh()];
  const { status, headers, body } = await create([...named(a, b, a), "https://pictures.example/a.png"]);
  expect([status, headers.get("location")]).toEqual([202, `${PATH}/${String(body.id)}`]);
  expect(body).toMatchObject({ status: "awaiting_supply", missing: lack(a, b), billed_cost: null, started_at: null });
  expect(body.input).toMatchObject({ image_input: [...named(a, b, a), "https://pictures.example/a.png"] });
  expect(await available()).toBe(1 - PRICE);
  expect(nudged()).toEqual([]);

  await upload(b);
  expect(await get(body.id)).toEqual({ ...body, missing: lack(a) });
  const page = await call(host, "GET", `${PATH}?status=awaiting_supply`, { key: customer.key });
  expect(page.body.data).toEqual([{ ...body, missing: lack(a) }]);
  expect(nudged()).toEqual([]);

  await upload(a);
  expect(await get(body.id)).toEqual({ ...body, status: "queued", missing: [] });
  expect(nudged()).toEqual([body.id]);
  await upload(a);
  expect(nudged()).toEqual([]);
  expect(await available()).toBe(1 - PRICE);
});

test("what is held, as an upload or as an output, is used at once", async () => {
  const [a, b] = [fresh(), fresh()];
  await upload(a);
  const { body } = await create([]);
  await markRunning(hub, { generationId: body.id as string, runId: newId() });
  const pieces = (async function* () {
    yield Buffer.from(b);
  })();
  const place = { generationId: body.id as string, accountId: customer.account, index: 0 };
  await storeOutput(hub, place, { mediaType: "image/png", content: pieces });

  const early = (await create(named(b))).body;
  expect(early).toMatchObject({ status: "awaiting_supply", missing: lack(b) });
  nudged();
  await finishGeneration(hub, { id: body.id as string, from: ["running"], to: "succeeded", outputs: 1 });
  expect(nudged()).toEqual([early.id]);
  expect(await get(early.id)).toMatchObject({ status: "queued", missing: [] });
  expect((await create(named(a, b))).body).toMatchObject({ status: "queued", missing: [] });
});

test("many wait for one content, and each starts once", async () => {
  const a = fresh();
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await create(named(a))).body.id as string));
  await keepFile(hub, customer.account, a);
  const hash = Buffer.from(hashOf(a), "hex");
  await Promise.all(Array.from({ length: 5 }, () => onFileStored(hub, customer.account, hash)));
  expect(nudged().toSorted()).toEqual(ids.toSorted());
});

test("content of another account is never found, and nothing tells that it exists", async () => {
  const stranger = await newCustomer(hub);
  const [theirs, nobodys] = [fresh(), fresh()];
  const id = await upload(theirs, stranger);
  const known = await create(named(theirs));
  const unknown = await create(named(nobodys));
  expect(known.body).toMatchObject({ status: "awaiting_supply", missing: lack(theirs) });
  const alike = ({ body }: typeof known) => ({ ...body, id: 0, created_at: 0, input: 0, missing: 0 });
  expect(alike(known)).toEqual(alike(unknown));

  // Nor does their upload start what this account waits for.
  await upload(theirs, stranger);
  expect(await queueSupplied(hub, "all")).toBe(0);
  expect(await get(known.body.id)).toMatchObject({ status: "awaiting_supply" });

  const byUrl = await create([urlOf(id), urlOf(newId()), urlOf("nothing")]);
  expect([byUrl.status, byUrl.body.errors]).toEqual([
    400,
    Object.fromEntries([0, 1, 2].map((n) => [`input.image_input.${n}`, ["is not a file of this account"]])),
  ]);
  expect((await create([urlOf(id)], {}, stranger)).body).toMatchObject({ status: "queued" });
});

test("what has expired is missing by its hash and refused by its address, also while another generation keeps it", async () => {
  const [a, b] = [fresh(), fresh()];
  const [kept, gone] = [await upload(a), await upload(b)];
  expect((await create([urlOf(kept)])).body).toMatchObject({ status: "queued" });
  hub.clock.advance(25 * HOUR_MS);
  expect(
    (
      await create([
        urlOf(kept),
        urlOf(gone).toUpperCase().replace("HTTPS://HUB.TEST/API/V1/HUB/FILES", "https://hub.test/api/v1/hub/files"),
      ])
    ).body.errors,
  ).toEqual({
    "input.image_input.0": ["the file has expired: upload it again"],
    "input.image_input.1": ["the file has expired: upload it again"],
  });
  const { body } = await create(named(a));
  expect(body).toMatchObject({ status: "awaiting_supply", missing: lack(a) });
  await upload(a);
  expect(await get(body.id)).toMatchObject({ status: "queued" });
});

test("what arrived lasts as long as the generation waits for the rest", async () => {
  const [a, b] = [fresh(), fresh()];
  const { body } = await create(named(a, b));
  await keepFile(hub, customer.account, a, { hours: 1 });
  hub.clock.advance(2 * HOUR_MS);
  expect(await get(body.id)).toMatchObject({ missing: lack(b) });
  await upload(b);
  expect(await get(body.id)).toMatchObject({ status: "queued", missing: [] });
});

test("after a day it fails, and its hold is released; what it lacked stays on the record", async () => {
  const [a, b] = [fresh(), fresh()];
  const { body } = await create(named(a, b));
  await upload(a);
  hub.clock.advance(24 * HOUR_MS - 60_000);
  // What other tests left.
  await failSupplyTimedOut(hub);
  expect(await get(body.id)).toMatchObject({ status: "awaiting_supply", missing: lack(b) });
  hub.clock.advance(61_000);
  expect(await failSupplyTimedOut(hub)).toBe(1);
  const failed = await get(body.id);
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "supply_timeout", retryable: true },
    billed_cost: null,
    started_at: null,
    completed_at: expect.any(String) as string,
    missing: lack(b),
  });
  expect(await available()).toBe(1);
  await upload(b);
  expect(await get(body.id)).toEqual(failed);
  expect(nudged()).toEqual([]);
});

test("canceling while it waits costs nothing, and it never starts", async () => {
  const a = fresh();
  const { id } = (await create(named(a))).body;
  const { status, body } = await call(host, "POST", `${PATH}/${String(id)}/cancel`, { key: customer.key });
  expect([status, body]).toMatchObject([200, { status: "canceled", billed_cost: null, missing: lack(a) }]);
  expect(await get(id)).toEqual(body);
  expect(await available()).toBe(1);
  await upload(a);
  expect(await get(id)).toEqual(body);
});

test("webhooks and the feed tell of its end alone, as the record shows it", async () => {
  const [a, b] = [fresh(), fresh()];
  const feed = () => call(host, "GET", "/api/v1/hub/events", { key: customer.key });
  await feed();
  const { id } = (await create(named(a, b))).body;
  await upload(b);
  await call(host, "POST", `${PATH}/${String(id)}/cancel`, { key: customer.key });
  expect((await feed()).body.data).toMatchObject([{ event: "generation.completed", data: await get(id) }]);
});

test("a replay of one that waits is 503, and says what is missing", async () => {
  const a = fresh();
  const headers = { "idempotency-key": "one" };
  const { id } = (await create(named(a), headers)).body;
  const { status, body } = await create(named(a), headers);
  expect([status, body]).toMatchObject([503, { code: "generation_in_progress", generation_id: id, missing: lack(a) }]);
  await upload(a);
  expect((await create(named(a), headers)).body).not.toHaveProperty("missing");
});

test("a price asks for no content", async () => {
  const path = "/api/v1/hub/models/sandbox-image/pricing";
  const body = { input: { prompt: "a tree", image_input: [...named(fresh()), urlOf(newId())] } };
  expect((await call(host, "POST", path, { key: customer.key, body })).body).toEqual({
    estimated_cost: PRICE,
    currency: "EUR",
  });
});

test.each(["sha256:", `sha256:${"0".repeat(63)}`, `sha256:${"A".repeat(64)}`, `SHA256:${"0".repeat(64)}`])(
  "%s is no hash",
  async (text) => {
    const { status, body } = await create([text]);
    expect([status, body.errors]).toEqual([
      400,
      { "input.image_input.0": ["must be an http(s) URL, or sha256: and 64 lower-case hexadecimal digits"] },
    ]);
  },
);

test("a hash in a text that is no file parameter is only text", async () => {
  const body = { model: "sandbox-image", input: { prompt: named(fresh())[0] } };
  expect((await call(host, "POST", PATH, { key: customer.key, body })).body).toMatchObject({ status: "queued" });
});

test("what does not fit the balance is 402, whatever is missing", async () => {
  const poor = await newCustomer(hub, { credit: 0.01 });
  expect((await create(named(fresh()), {}, poor)).status).toBe(202);
  expect((await create(named(fresh()), {}, poor)).body).toMatchObject({ code: "insufficient_credits" });
});

test("an input names at most a thousand files", async () => {
  const schema =
    "{ type: object, properties: { images: { type: array, maxItems: 2000, items: { type: string, format: uri } } } }";
  const catalogue = catalogueOf(`
  - id: many
    pricing_tiers: [{ match: {}, price_usd: 0.001 }]
    parameters_schema: ${schema}
    routes: [{ provider: first, upstream_model: many }]
`);
  const usual = hub.catalogue;
  hub.catalogue = catalogue;
  const images = Array.from({ length: 1_001 }, (_, n) => `sha256:${hashOf(`many ${n}`)}`);
  const ask = (images: string[]) =>
    call(host, "POST", PATH, { key: customer.key, body: { model: "many", input: { images } } });
  expect((await ask(images)).body.errors).toEqual({ input: ["may refer to at most 1000 files"] });
  const { body } = await ask(images.slice(1));
  expect(body.missing).toEqual(images.slice(1).map((text) => ({ sha256: text.slice(7), kind: "images" })));
  hub.catalogue = usual;
});

test("the audit finds a generation that waits for what it does not name", async () => {
  const { id } = (await create(named(fresh()))).body;
  const [{ input }] = (await hub.db.query<{ input: object }>("SELECT input FROM generation WHERE id = $1", [id])) as [
    { input: object },
  ];
  const write = (value: object) => hub.db.query("UPDATE generation SET input = $2 WHERE id = $1", [id, value]);
  await write({ prompt: "a tree" });
  expect((await runAudit(hub.db)).violations).toMatchObject([{ subject: `generation ${String(id)}` }]);
  await write(input);
});

test("after all of it, the audit finds nothing", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
