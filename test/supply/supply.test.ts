import { beforeEach, expect, test } from "vitest";
import { failSupplyTimedOut } from "../../server/domain/generations/end/fail-waiting";
import { queueSupplied, onFileStored } from "../../server/domain/generations/queue/supply";
import { runAudit } from "../../server/domain/audit/audit";
import { storeOutput } from "../../server/domain/files/store-output";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { newId } from "../../server/lib/id";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { hashOf, insertFile } from "../insert-file";

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
const missingOf = (...all: string[]) => all.map((content) => ({ sha256: hashOf(content), kind: "image_input" }));
const urlOf = (id: string) => `https://hub.test/api/v1/hub/files/${id}`;
const upload = async (content: string, { account } = customer) => {
  const id = await insertFile(hub, account, content);
  await onFileStored(hub, account, Buffer.from(hashOf(content), "hex"));
  return id;
};
const create = (image_input: unknown, headers: Record<string, string> = {}, { key } = customer) =>
  callApi(host, "POST", PATH, {
    key,
    headers,
    body: { model: "sandbox-image", input: { prompt: "a tree", image_input } },
  });
const get = async (id: unknown, { key } = customer) =>
  (await callApi(host, "GET", `${PATH}/${String(id)}`, { key })).body;
const available = async ({ key } = customer) => (await callApi(host, "GET", "/api/v1/me", { key })).body.available;
const dispatchedIds = () => hub.published.splice(0).map(({ data }) => (data as { id: string }).id);

test("waits for a missing hash with its hold, removes what is uploaded from the list, and starts when all is there", async () => {
  const [a, b] = [fresh(), fresh()];
  const { status, headers, body } = await create([...named(a, b, a), "https://pictures.example/a.png"]);
  expect([status, headers.get("location")]).toEqual([202, `${PATH}/${String(body.id)}`]);
  expect(body).toMatchObject({
    status: "awaiting_supply",
    missing: missingOf(a, b),
    billed_cost: null,
    started_at: null,
  });
  expect(body.input).toMatchObject({ image_input: [...named(a, b, a), "https://pictures.example/a.png"] });
  expect(await available()).toBe(1 - PRICE);
  expect(dispatchedIds()).toEqual([]);

  await upload(b);
  expect(await get(body.id)).toEqual({ ...body, missing: missingOf(a) });
  const page = await callApi(host, "GET", `${PATH}?status=awaiting_supply`, { key: customer.key });
  expect(page.body.data).toEqual([{ ...body, missing: missingOf(a) }]);
  expect(dispatchedIds()).toEqual([]);

  await upload(a);
  expect(await get(body.id)).toEqual({ ...body, status: "queued", missing: [] });
  expect(dispatchedIds()).toEqual([body.id]);
  await upload(a);
  expect(dispatchedIds()).toEqual([]);
  expect(await available()).toBe(1 - PRICE);
});

test("uses existing uploads and outputs at once", async () => {
  const [a, b] = [fresh(), fresh()];
  await upload(a);
  const { body } = await create([]);
  await markRunning(hub, { generationId: body.id as string, runId: newId() });
  const contentsInOrder = (async function* () {
    yield Buffer.from(b);
  })();
  const location = { generationId: body.id as string, accountId: customer.account, index: 0 };
  await storeOutput(hub, location, { mediaType: "image/png", content: contentsInOrder });

  const early = (await create(named(b))).body;
  expect(early).toMatchObject({ status: "awaiting_supply", missing: missingOf(b) });
  dispatchedIds();
  await finishGeneration(hub, { id: body.id as string, from: ["running"], to: "succeeded", outputs: 1 });
  expect(dispatchedIds()).toEqual([early.id]);
  expect(await get(early.id)).toMatchObject({ status: "queued", missing: [] });
  expect((await create(named(a, b))).body).toMatchObject({ status: "queued", missing: [] });
});

test("starts each of many generations once that wait for one content", async () => {
  const a = fresh();
  const ids = await Promise.all(Array.from({ length: 20 }, async () => (await create(named(a))).body.id as string));
  await insertFile(hub, customer.account, a);
  const hash = Buffer.from(hashOf(a), "hex");
  await Promise.all(Array.from({ length: 5 }, () => onFileStored(hub, customer.account, hash)));
  expect(dispatchedIds().toSorted()).toEqual(ids.toSorted());
});

test("never finds another account's content, and does not reveal that it exists", async () => {
  const otherCustomer = await newCustomer(hub);
  const [otherAccountsId, nobodys] = [fresh(), fresh()];
  const id = await upload(otherAccountsId, otherCustomer);
  const known = await create(named(otherAccountsId));
  const unknown = await create(named(nobodys));
  expect(known.body).toMatchObject({ status: "awaiting_supply", missing: missingOf(otherAccountsId) });
  const alike = ({ body }: typeof known) => ({ ...body, id: 0, created_at: 0, input: 0, missing: 0 });
  expect(alike(known)).toEqual(alike(unknown));

  // Another account's upload does not start this account's generation.
  await upload(otherAccountsId, otherCustomer);
  expect(await queueSupplied(hub, "all")).toBe(0);
  expect(await get(known.body.id)).toMatchObject({ status: "awaiting_supply" });

  const byUrl = await create([urlOf(id), urlOf(newId()), urlOf("nothing")]);
  expect([byUrl.status, byUrl.body.errors]).toEqual([
    400,
    Object.fromEntries([0, 1, 2].map((n) => [`input.image_input.${n}`, ["is not a file of this account"]])),
  ]);
  expect((await create([urlOf(id)], {}, otherCustomer)).body).toMatchObject({ status: "queued" });
});

test("treats expired content as missing by hash and rejects its URL, even while another generation keeps it", async () => {
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
  expect(body).toMatchObject({ status: "awaiting_supply", missing: missingOf(a) });
  await upload(a);
  expect(await get(body.id)).toMatchObject({ status: "queued" });
});

test("keeps uploaded content while the generation waits for the rest", async () => {
  const [a, b] = [fresh(), fresh()];
  const { body } = await create(named(a, b));
  await insertFile(hub, customer.account, a, { hours: 1 });
  hub.clock.advance(2 * HOUR_MS);
  expect(await get(body.id)).toMatchObject({ missing: missingOf(b) });
  await upload(b);
  expect(await get(body.id)).toMatchObject({ status: "queued", missing: [] });
});

test("fails after a day, releases the hold, and keeps the missing hashes on the record", async () => {
  const [a, b] = [fresh(), fresh()];
  const { body } = await create(named(a, b));
  await upload(a);
  hub.clock.advance(24 * HOUR_MS - 60_000);
  // Ends generations that other tests left.
  await failSupplyTimedOut(hub);
  expect(await get(body.id)).toMatchObject({ status: "awaiting_supply", missing: missingOf(b) });
  hub.clock.advance(61_000);
  expect(await failSupplyTimedOut(hub)).toBe(1);
  const failed = await get(body.id);
  expect(failed).toMatchObject({
    status: "failed",
    error: { code: "supply_timeout", retryable: true },
    billed_cost: null,
    started_at: null,
    completed_at: expect.any(String) as string,
    missing: missingOf(b),
  });
  expect(await available()).toBe(1);
  await upload(b);
  expect(await get(body.id)).toEqual(failed);
  expect(dispatchedIds()).toEqual([]);
});

test("a generation canceled while it waits is free and never starts", async () => {
  const a = fresh();
  const { id } = (await create(named(a))).body;
  const { status, body } = await callApi(host, "POST", `${PATH}/${String(id)}/cancel`, { key: customer.key });
  expect([status, body]).toMatchObject([200, { status: "canceled", billed_cost: null, missing: missingOf(a) }]);
  expect(await get(id)).toEqual(body);
  expect(await available()).toBe(1);
  await upload(a);
  expect(await get(id)).toEqual(body);
});

test("webhooks and the feed report only its end, with the record at that time", async () => {
  const [a, b] = [fresh(), fresh()];
  const feed = () => callApi(host, "GET", "/api/v1/hub/events", { key: customer.key });
  await feed();
  const { id } = (await create(named(a, b))).body;
  await upload(b);
  await callApi(host, "POST", `${PATH}/${String(id)}/cancel`, { key: customer.key });
  expect((await feed()).body.data).toMatchObject([{ event: "generation.completed", data: await get(id) }]);
});

test("replays a waiting generation as 503 with its missing content", async () => {
  const a = fresh();
  const headers = { "idempotency-key": "one" };
  const { id } = (await create(named(a), headers)).body;
  const { status, body } = await create(named(a), headers);
  expect([status, body]).toMatchObject([
    503,
    { code: "generation_in_progress", generation_id: id, missing: missingOf(a) },
  ]);
  await upload(a);
  expect((await create(named(a), headers)).body).not.toHaveProperty("missing");
});

test("estimates a price without the content", async () => {
  const path = "/api/v1/hub/models/sandbox-image/pricing";
  const body = { input: { prompt: "a tree", image_input: [...named(fresh()), urlOf(newId())] } };
  expect((await callApi(host, "POST", path, { key: customer.key, body })).body).toMatchObject({
    estimated_cost: PRICE,
    currency: "EUR",
  });
});

test.each(["sha256:", `sha256:${"0".repeat(63)}`, `sha256:${"A".repeat(64)}`, `SHA256:${"0".repeat(64)}`])(
  "rejects %s as a hash",
  async (text) => {
    const { status, body } = await create([text]);
    expect([status, body.errors]).toEqual([
      400,
      { "input.image_input.0": ["must be an http(s) URL, or sha256: and 64 lower-case hexadecimal digits"] },
    ]);
  },
);

test("ignores a hash in a parameter that takes no file", async () => {
  const body = { model: "sandbox-image", input: { prompt: named(fresh())[0] } };
  expect((await callApi(host, "POST", PATH, { key: customer.key, body })).body).toMatchObject({ status: "queued" });
});

test("rejects what the balance does not cover with 402, whatever is missing", async () => {
  const poorCustomer = await newCustomer(hub, { credit: 0.01 });
  expect((await create(named(fresh()), {}, poorCustomer)).status).toBe(202);
  expect((await create(named(fresh()), {}, poorCustomer)).body).toMatchObject({ code: "insufficient_credits" });
});

test("accepts at most a thousand files in an input", async () => {
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
    callApi(host, "POST", PATH, { key: customer.key, body: { model: "many", input: { images } } });
  expect((await ask(images)).body.errors).toEqual({ input: ["may refer to at most 1000 files"] });
  const { body } = await ask(images.slice(1));
  expect(body.missing).toEqual(images.slice(1).map((text) => ({ sha256: text.slice(7), kind: "images" })));
  hub.catalogue = usual;
});

test("the audit reports a generation that waits for content that its input does not name", async () => {
  const { id } = (await create(named(fresh()))).body;
  const [{ input }] = (await hub.db.query<{ input: object }>("SELECT input FROM generation WHERE id = $1", [id])) as [
    { input: object },
  ];
  const write = (value: object) => hub.db.query("UPDATE generation SET input = $2 WHERE id = $1", [id, value]);
  await write({ prompt: "a tree" });
  expect((await runAudit(hub.db)).violations).toMatchObject([{ subject: `generation ${String(id)}` }]);
  await write(input);
});

test("the audit finds no violation after these generations", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
