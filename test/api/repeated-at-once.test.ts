import { afterAll, describe, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { createBudget } from "../../server/domain/budgets/change-budget";
import { completeWith, holdNext, type Responder, respondWith } from "../chat/upstream";
import { MODEL_YAML, openChatHost, userMessages } from "../chat/host";
import { DONE, streamEvents, textChunk, usageOf } from "../openai/stream-upstream";
import { type Customer, newCustomer } from "./customer";

const host = await openChatHost();
const { hub, upstream, url } = host;
host.setModels(`${MODEL_YAML}
  - id: embed
    output_modalities: [embedding]
    llm: { input_cost_per_million: 1, output_cost_per_million: 0, context_length: 1000, max_output_tokens: 1 }
    routes: [{ provider: up, upstream_model: text-up }]`);
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const REQUESTS = 5;
const talk = { model: "talk", max_tokens: 1_000, messages: userMessages("hello") };
const stream = streamEvents(textChunk("hi", "stop"), { ...textChunk(""), choices: [], usage: usageOf(10, 1) }, DONE);
const embed = respondWith(200, { data: [{ index: 0, embedding: [0.5, 1] }], usage: { prompt_tokens: 7 } });

interface Route {
  path: string;
  body: Record<string, unknown>;
  /** In EUR: covers one of these requests, and not two. */
  credit: number;
  /** How the provider responds, for requests that are not queued. */
  responder?: Responder;
}

const complete = completeWith({});
const routes: Record<string, Route> = {
  "a generation": {
    path: "/api/v1/hub/generations",
    body: { model: "sandbox-image", input: { prompt: "a" } },
    credit: 0.012,
  },
  "a batch": {
    path: "/api/v1/hub/batches",
    body: { model: "sandbox-image", inputs: [{ prompt: "a" }, { prompt: "b" }] },
    credit: 0.024,
  },
  "a chat": { path: "/api/v1/hub/chat/completions", body: talk, credit: 0.003, responder: complete },
  "a chat of OpenAI's API": { path: "/v1/chat/completions", body: talk, credit: 0.003, responder: complete },
  "a streamed chat": {
    path: "/v1/chat/completions",
    body: { ...talk, stream: true },
    credit: 0.003,
    responder: stream,
  },
  "a completion": {
    path: "/v1/completions",
    body: { model: "talk", max_tokens: 1_000, prompt: "hello" },
    credit: 0.003,
    responder: complete,
  },
  "a message": { path: "/v1/messages", body: talk, credit: 0.003, responder: complete },
  "a response": {
    path: "/v1/responses",
    body: { model: "talk", max_output_tokens: 1_000, input: "hello" },
    credit: 0.003,
    responder: complete,
  },
  "an embedding": {
    path: "/v1/embeddings",
    body: { model: "embed", input: "a".repeat(2_000) },
    credit: 0.0015,
    responder: embed,
  },
};

const send = async ({ key }: Customer, { path, body }: Route) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "once" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

/**
 * Sends the same request several times at once, and returns all replies. The provider answers only once the other
 * requests have their replies.
 */
async function sendAtOnce(customer: Customer, route: Route) {
  const release = route.responder ? holdNext(upstream, route.responder) : () => undefined;
  const replies: Awaited<ReturnType<typeof send>>[] = [];
  const all = Array.from({ length: REQUESTS }, async () => replies.push(await send(customer, route)));
  await expect.poll(() => replies.length).toBeGreaterThanOrEqual(REQUESTS - 1);
  release();
  await Promise.all(all);
  return replies;
}

/** Creates a budget of the customer's key. */
async function addBudget({ account, email, keyId }: Customer, amount: number) {
  const holder = { id: account, email, member: false, balance: 0n, reserved: 0n };
  const ctx = contextOf(hub, holder, { kind: "user" }, "test");
  const request = { name: "all", amount, window: "total" as const, scope: { keys: [keyId] } };
  await hub.db.transaction((tx) => createBudget(tx, ctx, request));
}

describe.each(Object.entries(routes))("%s that is sent five times at once with one key", (_, route) => {
  test.each([
    ["the balance", { credit: route.credit }, null],
    ["the spend limit of the API key", { spendLimit: route.credit }, null],
    ["a budget", {}, route.credit],
  ])("is accepted once and never answered with 402 when %s covers it once", async (_name, options, budget) => {
    const customer = await newCustomer(hub, options);
    if (budget !== null) await addBudget(customer, budget);
    const replies = await sendAtOnce(customer, route);
    const accepted = replies.filter(({ status }) => status < 300);
    expect(accepted, JSON.stringify(replies)).toHaveLength(1);
    for (const { status, text } of replies)
      if (status >= 300) expect([status, text]).toEqual([503, expect.stringContaining("of this Idempotency-Key is")]);
  });
});
