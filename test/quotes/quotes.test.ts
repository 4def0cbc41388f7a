import { afterAll, expect, test } from "vitest";
import type { Catalogue } from "../../server/catalogue/model";
import { runAudit } from "../../server/domain/audit/audit";
import { alterEnd } from "../alter-end";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { catalogueOf } from "../catalogue";
import { newConsoleUser } from "../console/console-user";
import { deriveHub } from "../derive-hub";

const host = await openOwnHost();
const { hub } = host;
const PATH = "/api/v1/hub/generations";
const MINUTE_MS = 60_000;
const sandbox = hub.catalogue;
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

/** Returns a catalogue whose model `clip` has this price. */
const priced = (price: string, routes = "[{ provider: first, upstream_model: sandbox-video }]"): Catalogue =>
  catalogueOf(`
  - id: clip
    output_modalities: [video]
    parameters_schema:
      type: object
      properties: { prompt: { type: string }, duration: { enum: ["5", "10"], default: "5" } }
    ${price}
    routes: ${routes}`);
const perSecond = (usd: number) =>
  `pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: ${usd} }] }`;
const offer = (catalogue: Catalogue) => void (hub.catalogue = new Map([...sandbox, ...catalogue]));

interface Estimate {
  estimated_cost: number;
  quote: { id: string; expires_at: string };
}

const input = { prompt: "a pier" };
async function quote({ key }: Customer, model = "clip", asked: object = input): Promise<Estimate> {
  const reply = await callApi(host, "POST", `/api/v1/hub/models/${model}/pricing`, { key, body: { input: asked } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as unknown as Estimate;
}

const create = ({ key }: Customer, body: object, headers: Record<string, string> = {}) =>
  callApi(host, "POST", PATH, { key, body: { model: "clip", input, ...body }, headers });

test("a quote holds its price whatever has happened to the catalogue, until it expires", async () => {
  offer(priced(perSecond(0.1)));
  const customer = await newCustomer(hub, { credit: 100 });
  const thaw = hub.clock.freeze();
  try {
    const quoted = await quote(customer);
    expect(quoted).toMatchObject({
      estimated_cost: 0.46,
      quote: { id: expect.stringMatching(/^[\w-]+$/) as string },
    });
    expect(Date.parse(quoted.quote.expires_at) - hub.now().getTime()).toBeGreaterThan(14.9 * MINUTE_MS);

    offer(priced(perSecond(0.3)));
    expect((await create(customer, { quote: quoted.quote.id })).body).toMatchObject({ estimated_cost: 0.46 });
    expect((await create(customer, {})).body).toMatchObject({ estimated_cost: 1.38 });
    // It may be used until it expires, also if its tier is gone.
    offer(priced("pricing: { per: second, times: duration, tiers: [{ match: { duration: '10' }, price_usd: 1 }] }"));
    expect((await create(customer, { quote: quoted.quote.id })).body).toMatchObject({ estimated_cost: 0.46 });

    offer(priced(perSecond(0.3)));
    hub.clock.advance(15 * MINUTE_MS);
    const expired = await create(customer, { quote: quoted.quote.id });
    expect([expired.status, expired.body]).toMatchObject([409, { code: "quote_expired", estimated_cost: 1.38 }]);
  } finally {
    thaw();
  }
});

test("a quote of another account, model or input, and an altered one, is rejected with the price now", async () => {
  offer(priced(perSecond(0.1)));
  const [customer, other] = [await newCustomer(hub), await newCustomer(hub)];
  const { quote: own } = await quote(customer);
  const altered = own.id.slice(0, 40) + (own.id[40] === "A" ? "B" : "A") + own.id.slice(41);
  // A customer reads neither the catalogue's price nor what the book of the account makes of it.
  expect(Buffer.from(own.id, "base64url").toString("latin1")).not.toMatch(/price|usd/);
  const rejected = [
    [other, { quote: own.id }],
    [customer, { quote: altered }],
    [customer, { quote: `${own.id.slice(0, -2)}AA` }],
    ...alterEnd(own.id).map((id) => [customer, { quote: id }] as const),
    [customer, { quote: "AAAA" }],
    [customer, { quote: "text" }],
    [customer, { quote: own.id, input: { ...input, duration: "10" } }],
    [customer, { quote: own.id, input: { ...input, duration: "5" } }],
    [customer, { quote: own.id, model: "sandbox-image" }],
  ] as const;
  for (const [who, request] of rejected) {
    const { status, body: problem } = await create(who, request);
    expect([status, problem], JSON.stringify(request)).toMatchObject([
      409,
      { code: "quote_expired", estimated_cost: expect.any(Number) as number },
    ]);
  }
  expect((await create(customer, { quote: "a".repeat(2_049) })).status).toBe(400);
  expect((await create(customer, { quote: own.id, input: { prompt: "a pier" } })).status).toBe(202);
  const [{ count } = { count: -1n }] = await hub.db.query<{ count: bigint }>(
    "SELECT count(*) FROM generation WHERE account_id IN ($1, $2)",
    [customer.account, other.account],
  );
  expect(Number(count)).toBe(1);
});

test("a quote holds neither a removed model, nor a price of another kind, nor money", async () => {
  offer(priced(perSecond(0.1)));
  const [customer, poor] = [await newCustomer(hub), await newCustomer(hub, { credit: 0 })];
  const { quote: own } = await quote(customer);
  hub.catalogue = sandbox;
  expect((await create(customer, { quote: own.id })).body).toMatchObject({ status: 404, code: "model_not_found" });
  offer(priced("gpu: { price_per_second: 0.001, max_seconds: 100 }", "[{ provider: worker }]"));
  expect((await create(customer, { quote: own.id })).body).toMatchObject({
    code: "quote_expired",
    estimated_cost: 0.1,
  });
  offer(priced(perSecond(0.1)));
  const { quote: unpaid } = await quote(poor);
  expect((await create(poor, { quote: unpaid.id })).body).toMatchObject({ status: 402, required: 0.46 });
});

test("a retry with an idempotency key is found before its quote is read, whatever its quote", async () => {
  offer(priced(perSecond(0.1)));
  const customer = await newCustomer(hub);
  const { quote: own } = await quote(customer);
  const headers = { "Idempotency-Key": "one" };
  const first = await create(customer, { quote: own.id }, headers);
  expect(first.status).toBe(202);
  const running = await create(customer, { quote: "another" }, headers);
  expect(running.body).toMatchObject({ code: "generation_in_progress", generation_id: first.body.id });
  await callApi(host, "POST", `${PATH}/${String(first.body.id)}/cancel`, { key: customer.key });
  for (const repeated of [{ quote: own.id }, { quote: "expired" }, {}]) {
    const { status, body } = await create(customer, repeated, headers);
    expect([status, body.id]).toEqual([200, first.body.id]);
  }
  expect((await create(customer, { quote: own.id, priority: "low" }, headers)).body.code).toBe("idempotency_conflict");
});

test("a quote is valid under the previous secret", async () => {
  offer(priced(perSecond(0.1)));
  const { console, consoleOn } = await newConsoleUser(hub);
  const run = (on: typeof console, id: string) =>
    on.playground.run({ idempotencyKey: "k".repeat(16) + id.slice(-8), model: "clip", input, quote: id });
  const first = (await console.models.price({ id: "clip", input })).quote!;
  const rotated = deriveHub(hub, {
    secret: "another secret of at least thirty-two characters",
    previousSecret: hub.secret,
  });
  offer(priced(perSecond(0.3)));
  rotated.catalogue = hub.catalogue;
  expect(await run(consoleOn(rotated), first.id)).toMatchObject({ estimated_cost: 0.46 });
  const forgotten = deriveHub(rotated, { previousSecret: undefined });
  const second = (await console.models.price({ id: "clip", input })).quote!;
  await expect(run(consoleOn(forgotten), second.id)).rejects.toMatchObject({
    message: expect.stringMatching(/quote/) as string,
  });
});

test("text models have no quote", async () => {
  const messages = [{ role: "user", content: "hello" }];
  expect(await quote(await newCustomer(hub), "sandbox-text", { messages })).toMatchObject({ quote: null });
});

test("a training is started at its quote", async () => {
  hub.catalogue = sandbox;
  const { key, ...customer } = await newCustomer(hub);
  const send = (path: string, body: object) => callApi(host, "POST", path, { key, body });
  const images = ["https://example.com/a.png", "https://example.com/b.png"];
  const character = { name: "Ada", base_model: "sandbox-trainer", trigger_word: "ada42", images };
  const { body } = await send("/api/v1/hub/characters", character);
  const start = (id: string) => send(`/api/v1/hub/characters/${String(body.id)}/start`, { quote: id });
  const { estimated_cost, quote: own } = await quote({ key, ...customer }, "sandbox-trainer", {
    images,
    trigger_word: "ada42",
  });
  const trainer = sandbox.get("sandbox-trainer")!;
  if (trainer.pricing.by !== "gpu-second") throw new Error("the trainer is not priced by GPU time");
  const dearer = { ...trainer, pricing: { ...trainer.pricing, pricePerSecond: trainer.pricing.pricePerSecond * 3n } };
  hub.catalogue = new Map([...sandbox, [trainer.id, dearer]]);
  expect((await start("wrong")).body).toMatchObject({ code: "quote_expired" });
  expect((await start(own.id)).body).toMatchObject({
    estimated_cost,
    status: expect.stringMatching(/queued|awaiting/) as string,
  });
});
