import { afterAll, beforeAll, expect, test } from "vitest";
import { operations } from "../../app/(site)/docs/document";
import { parseCatalogue } from "../../server/catalogue/parse";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import type { Exposure } from "../../server/env";
import { readExposure } from "../../server/domain/exposure";
import { runAudit } from "../../server/domain/audit/audit";
import { callApi } from "../api/call";
import { openRunningHost } from "../api/hosts";
import { catalogueWith } from "../catalogue";
import { CHAT, userMessages } from "../chat/host";
import { openUpstream, respondWith } from "../chat/upstream";
import { newConsoleUser } from "../console/console-user";
import { connectClient, versions } from "../mcp/clients";
import { openReceiver } from "../webhooks/receiver";
import { createUpstream } from "../routed-hub";
import { brandedAnswer } from "./branded-answers";

/** Matches the name of a provider, its route or its model, what it says, and what it charges. */
const CANARY = /canary|replicate|0\.000321/i;
const GENERATIONS = "/api/v1/hub/generations";

const upstream = await openUpstream();
const receiver = await openReceiver();
const host = await openRunningHost({ EXPOSE_ATTEMPTS: "times", OUTBOUND_ALLOW_HOSTS: receiver.host });
const { hub } = host;
const { models } = parseCatalogue(
  `providers:
  - { id: canary-chats, kind: openai, base_url: "${upstream.url}", api_key: canary-key-of-twenty-letters }
  - { id: canary-claude, kind: anthropic, base_url: "${upstream.url}", api_key: canary-key-of-twenty-letters }
  - { id: canary-jobs, kind: replicate, api_key: canary-key-of-twenty-letters }
models:
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: canary-chats, upstream_model: canary-talk }]
  - id: claude
    llm: { input_cost_per_million: 1, cache_write_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: canary-claude, upstream_model: canary-talk }]
  - id: native
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: canary-chats, upstream_model: canary-talk, responses: true }]
  - id: draw
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.01 }]
    routes: [{ provider: canary-jobs, upstream_model: canary-draw, price_usd: 0.000349 }]`,
  { file: "test", variables: {} },
);
hub.catalogue = catalogueWith(models);
const jobs = createUpstream();
jobs.respond = () => ({
  state: "failed",
  started: "no",
  cause: "job",
  upstreamStatus: 422,
  costUsd: 348_914n,
  error: { code: "provider_refused", message: "canary-draw at replicate rejects this.", retryable: false },
});
hub.providers = { ...hub.providers, replicate: jobs.provider };
let user: Awaited<ReturnType<typeof newConsoleUser>>;
beforeAll(async () => {
  user = await newConsoleUser(hub);
});
afterAll(async () => {
  await upstream.close();
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const call = (method: string, path: string, body?: unknown) => callApi(host, method, path, { key: user.key, body });

/** Fails if a text contains a canary, and returns the text. */
function expectHidden(door: string, text: string): string {
  expect(CANARY.exec(text)?.[0], `${door}: ${text}`).toBeUndefined();
  return text;
}

/** Sends a request, and fails if the response has a canary in its headers or its body. */
async function walk(method: string, path: string, body?: unknown): Promise<string> {
  const received: string[] = [];
  try {
    const response = await fetch(host.url + path, {
      method,
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      // Streams of an account have no end.
      signal: path.endsWith("/events/stream") ? AbortSignal.timeout(500) : undefined,
    });
    received.push(JSON.stringify([...response.headers]));
    for await (const chunk of response.body ?? []) received.push(Buffer.from(chunk).toString());
  } catch (error) {
    if ((error as Error).name !== "TimeoutError") throw error;
  }
  return expectHidden(`${method} ${path}`, received.join(""));
}

async function fail(): Promise<string> {
  const { body } = await call("POST", GENERATIONS, {
    model: "draw",
    input: { prompt: "a pier" },
    webhook: { url: receiver.url },
  });
  expect(body).toMatchObject({ provider: "hub" });
  const id = body.id as string;
  await expect
    .poll(async () => (await call("GET", `${GENERATIONS}/${id}`)).body.status, { timeout: 10_000 })
    .toBe("failed");
  return id;
}

test("customers find a provider's name, route, model, message or cost behind no door", async () => {
  const id = await fail();
  const record = (await call("GET", `${GENERATIONS}/${id}`)).body;
  expect(record).toMatchObject({
    provider: "hub",
    error: { code: "provider_refused", message: "The work was rejected before it started.", retryable: false },
  });
  const { body } = await call("GET", `${GENERATIONS}/${id}/attempts`);
  expect(body.data).toMatchObject([
    { route: null, provider: null, cost: null, outcome: "refused", upstream_status: 422 },
  ]);
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBeGreaterThan(0);
  for (const { headers, body: sent } of receiver.received)
    expectHidden("webhook", JSON.stringify(headers) + sent.toString());

  const read = operations.filter(({ method, path }) => method === "GET" && /^\/(api\/v1\/hub|v1)\//.test(path));
  expect(read.length).toBeGreaterThan(15);
  const texts = new Map<string, string>();
  for (const { path } of read) texts.set(path, await walk("GET", path.replace(/\{\w+\}/g, id)));
  expect(texts.get(`${GENERATIONS}/{id}/events`)).toContain('"provider":"hub"');
  expect(texts.get("/api/v1/hub/events")).toContain('"provider":"hub"');

  const { console } = user;
  for (const page of [console.generations.get({ id }), console.generations.list({}), console.overview.summary()])
    expectHidden("console", JSON.stringify(await page));
  const client = await connectClient(versions[0]!, host.url, user.key);
  expectHidden("mcp", JSON.stringify(await client.call("get_generation", { id })));
});

test("nor in chats, their errors, and what OpenAI's paths make of jobs", async () => {
  const messages = userMessages("hello");
  const paths = {
    "/v1/chat/completions": { messages },
    "/v1/messages": { messages, max_tokens: 100 },
    "/v1/responses": { input: "hello" },
  };
  const ids = ["talk", "claude", "native"];
  const chats = Object.entries(paths).flatMap(([path, body]) =>
    ids.flatMap((model) => [false, true].map((stream) => [path, { ...body, model, stream }] as const)),
  );
  const error = { error: { message: "canary-talk rejects this", type: "invalid_request_error" } };
  for (const [path, body] of chats) {
    upstream.respondNext(brandedAnswer);
    expect(await walk("POST", path, body)).toContain("hello");
    upstream.respondNext(respondWith(400, error));
    expect(await walk("POST", path, body)).toContain("The provider refused the hub's request with status 400.");
  }
  for (const status of [401, 402, 404, 500]) {
    upstream.respondNext(respondWith(status, error));
    const refused = await call("POST", CHAT, { model: "talk", messages });
    expectHidden("refused chat", JSON.stringify([...refused.headers, refused.body]));
    const message = status < 500 ? `The provider refused the hub's request with status ${status}.` : "The work failed.";
    expect(refused).toMatchObject({
      status: status < 500 ? status : 503,
      body: { error: { code: "provider_error", message } },
    });
  }
  upstream.respondNext(brandedAnswer);
  const { body } = await call("POST", CHAT, { model: "talk", messages });
  expect(body).toMatchObject({ model: "talk", usage: { total_tokens: expect.any(Number) as number } });
  expect(Object.keys(body).toSorted()).toEqual(["choices", "created", "id", "model", "object", "usage"]);
  expect(await walk("POST", "/v1/images/generations", { model: "draw", prompt: "a quay" })).toContain("rejected");
  for (const path of [GENERATIONS, "/api/v1/hub/events", "/api/v1/hub/usage?from=2020-01-01"]) await walk("GET", path);
  expectHidden("rejections", JSON.stringify(await user.console.requests.list({})));
});

test("off lists no attempts", async () => {
  const id = await fail();
  hub.exposure = "off";
  try {
    expect((await call("GET", `${GENERATIONS}/${id}/attempts`)).body).toEqual({ data: [] });
    expect((await user.console.generations.get({ id })).attempts).toEqual([]);
    expect((await call("GET", `${GENERATIONS}/${id}`)).body.provider).toBe("hub");
  } finally {
    hub.exposure = "times";
  }
});

test("an operator sees everything", async () => {
  const id = await fail();
  const { actor } = user.session;
  const auditor = { ...actor, person: { ...actor.person, hubRole: "auditor" as const } };
  const session = { ...user.session, actor: auditor };
  const shown = await createCallerFactory(root)({ hub, session, address: null }).generations.get({ id });
  expect(shown).toMatchObject({
    provider: "replicate",
    error: { message: "canary-draw at replicate rejects this." },
    attempts: [{ route: "canary-jobs:canary-draw", provider: "replicate" }],
  });
});

test("the default is times, and full for a hub that had generations before", async () => {
  const read = (EXPOSE_ATTEMPTS?: Exposure) => readExposure(hub, { EXPOSE_ATTEMPTS });
  expect(await read()).toBe("times");
  await hub.db.query("INSERT INTO hub_default (name, value) VALUES ('EXPOSE_ATTEMPTS', 'full')");
  expect([await read(), await read("off")]).toEqual(["full", "off"]);
});
