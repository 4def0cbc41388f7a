import { afterAll, expect, test } from "vitest";
import { parseCatalogue } from "../../server/catalogue/parse";
import { runAudit } from "../../server/domain/audit/audit";
import { newId } from "../../server/lib/id";
import { catalogueWith } from "../catalogue";
import { openCogDouble } from "../providers/cog/double";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openRunningHost } from "./hosts";

const host = await openRunningHost();
const { hub } = host;
const cog = await openCogDouble();
afterAll(() => cog.close());
const { models } = parseCatalogue(
  `
providers: [{ id: cog, kind: cog, base_url: "${cog.url}" }]
models:
  - id: container
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: cog, upstream_model: model, set: { seconds: 30 } }]`,
  { file: "test", variables: {} },
);
hub.catalogue = catalogueWith([...hub.catalogue.values(), ...models]);

const PATH = "/api/v1/hub/generations";
const STOP = { stop_running: true };

async function create({ key }: Customer, prompt: string, model = "sandbox-image"): Promise<string> {
  const { body } = await callApi(host, "POST", PATH, { key, body: { model, input: { prompt } } });
  return body.id as string;
}
const cancel = ({ key }: Customer, id: string, body?: unknown) =>
  callApi(host, "POST", `${PATH}/${id}/cancel`, { key, body });
const get = async ({ key }: Customer, id: string) => (await callApi(host, "GET", `${PATH}/${id}`, { key })).body;

/** Waits until the open attempt of a generation is as the condition says. */
const untilAttempt = (id: string, condition: string) =>
  expect
    .poll(() => hub.db.query(`SELECT FROM attempt WHERE generation_id = $1 AND ${condition}`, [id]), {
      timeout: 10_000,
      interval: 20,
    })
    .toHaveLength(1);
const AT_PROVIDER = "upstream_id IS NOT NULL";

async function expectMoney({ key }: Customer, available: number) {
  expect((await callApi(host, "GET", "/api/v1/me", { key })).body).toMatchObject({ balance: available, available });
}

test("stops a generation that runs at a provider, and repeats the same record", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const id = await create(customer, "[slow:60] a hill");
  await untilAttempt(id, AT_PROVIDER);
  for (const body of [undefined, {}, { stop_running: false }])
    expect((await cancel(customer, id, body)).body).toMatchObject({ status: 409, code: "generation_not_cancelable" });
  const { status, body } = await cancel(customer, id, STOP);
  expect([status, body]).toMatchObject([200, { status: "canceled", billed_cost: 0, outputs: [] }]);
  expect((await cancel(customer, id, STOP)).body).toEqual(body);
  expect((await cancel(customer, id)).body).toEqual(body);
  await expectMoney(customer, 1);
});

test("stops a submit that has not returned", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const id = await create(customer, "a hill", "container");
  await expect.poll(() => cog.begun.length).toBe(1);
  const { status, body } = await cancel(customer, id, STOP);
  expect([status, body]).toMatchObject([200, { status: "canceled", billed_cost: 0 }]);
  expect(cog.cancels.length).toBeGreaterThan(0);
  await expectMoney(customer, 1);
});

test("ends a generation at once that waits for its next attempt", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const id = await create(customer, "[flaky] a hill");
  await untilAttempt(id, "outcome = 'failed'");
  const unfreeze = hub.clock.freeze();
  const { status, body } = await cancel(customer, id, STOP);
  unfreeze();
  expect([status, body]).toMatchObject([200, { status: "canceled", billed_cost: 0 }]);
  await expectMoney(customer, 1);
});

test("cancels a generation that has not started, and a finished one not at all", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const waiting = await create(customer, "a hill").then(() => createWaiting(customer));
  expect((await cancel(customer, waiting, STOP)).body).toMatchObject({ status: "canceled", billed_cost: null });
  const id = await create(customer, "a hill");
  await expect.poll(async () => (await get(customer, id)).status, { timeout: 10_000 }).toBe("succeeded");
  expect((await cancel(customer, id, STOP)).body).toMatchObject({ status: 409, code: "generation_not_cancelable" });
});

/** Creates a generation that waits for a file. */
async function createWaiting({ key }: Customer): Promise<string> {
  const input = { prompt: "a hill", image_input: [`sha256:${"0".repeat(64)}`] };
  return (await callApi(host, "POST", PATH, { key, body: { model: "sandbox-image", input } })).body.id as string;
}

test("of two cancellations and an ending at the same time one applies, and all agree", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const id = await create(customer, "[slow:1] a hill");
  await untilAttempt(id, AT_PROVIDER);
  const replies = await Promise.all([
    cancel(customer, id, STOP),
    cancel(customer, id, STOP),
    Promise.resolve(hub.clock.advance(1_000)),
  ]);
  const end = await get(customer, id);
  for (const reply of replies.slice(0, 2)) expect(reply!.status).toBe(end.status === "canceled" ? 200 : 409);
  expect(["canceled", "succeeded"]).toContain(end.status);
  await expectMoney(customer, 1 - (end.billed_cost as number));
});

test("rejects a bad body, and another account's generation like a missing one", async () => {
  const [customer, other] = [await newCustomer(hub, { credit: 1 }), await newCustomer(hub)];
  const id = await create(customer, "[slow:60] a hill");
  await untilAttempt(id, AT_PROVIDER);
  for (const body of ["junk", "[]", { stop_running: "yes" }, { stop_running: true, more: 1 }, { stop_running: null }])
    expect((await cancel(customer, id, body)).body).toMatchObject({ status: 400, code: "invalid_input" });
  const [stranger, missing] = [await cancel(other, id, STOP), await cancel(other, newId(), STOP)];
  expect(stranger.status).toBe(404);
  const { type, title, code, detail } = stranger.body;
  expect(missing.body).toMatchObject({ type, title, code, detail });
  expect((await get(customer, id)).status).toBe("running");
  expect((await cancel(customer, id, STOP)).status).toBe(200);
});

test("says that a running chat cannot be canceled this way", async () => {
  const customer = await newCustomer(hub, { credit: 1 });
  const chat = new AbortController();
  const body = { model: "sandbox-text", messages: [{ role: "user", content: "[slow:20] hello" }] };
  const waiting = callApi(host, "POST", "/api/v1/hub/chat/completions", {
    key: customer.key,
    body,
    signal: chat.signal,
  });
  const list = async () =>
    (await callApi(host, "GET", `${PATH}?exclude_llm=false`, { key: customer.key })).body.data as { id: string }[];
  await expect.poll(list).toHaveLength(1);
  const { status, body: problem } = await cancel(customer, (await list())[0]!.id, STOP);
  expect([status, problem]).toMatchObject([409, { detail: expect.stringContaining("close the connection") as string }]);
  chat.abort();
  await expect(waiting).rejects.toThrow();
});

test("the audit finds no violation", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
