import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseCatalogue } from "../../server/catalogue/parse";
import { runAudit } from "../../server/domain/audit/audit";
import { createRoutingServices } from "../../server/domain/routing";
import { type Customer, newCustomer } from "../api/customer";
import { catalogueWith } from "../catalogue";
import { openChatHost, UPSTREAM_KEY } from "../chat/host";
import { streamEvents, streamWords, textChunk } from "../openai/stream-upstream";

const host = await openChatHost();
const { hub, url, upstream } = host;

const offer = (route: string) => {
  const text = `providers:
  - { id: claude, kind: anthropic, base_url: "${upstream.url}", api_key: "${UPSTREAM_KEY}" }
  - { id: up, kind: openai, base_url: "${upstream.url}", api_key: "${UPSTREAM_KEY}" }
models:
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, cache_write_cost_per_million: 1, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ ${route}, upstream_model: first }, { provider: up, upstream_model: second }]`;
  const { models } = parseCatalogue(text, { file: "test", variables: {} });
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
  // Without the breakers that an earlier test has opened.
  hub.services.routeHealth = createRoutingServices(hub).routeHealth;
};
const MESSAGES = "provider: claude";
const CHATS = "provider: up";
const RESPONSES = "provider: up, responses: true";

let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(hub);
});
afterEach(async () => {
  await expect.poll(() => hub.chats.size).toBe(0);
});
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const messages = [{ role: "user", content: "hello" }];
const requests: Record<string, object> = {
  "/v1/messages": { messages, max_tokens: 100 },
  "/v1/chat/completions": { messages },
  "/v1/responses": { input: "hello", store: false },
};
const stream = async (path: string) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...requests[path], model: "talk", stream: true }),
  });
  return { status: response.status, text: await response.text() };
};
const attempts = () =>
  hub.db.query<{ outcome: string; upstream_status: number; billed: number }>(
    `SELECT a.outcome, a.upstream_status, g.billed_cost::int AS billed FROM attempt a JOIN generation g ON g.id = a.generation_id
     WHERE g.account_id = $1 ORDER BY a.n`,
    [customer.account],
  );

const messagesError = (type: string) => ({ type: "error", error: { type, message: "Not now" } });
const begunResponse = { id: "resp_up", object: "response", status: "in_progress", output: [] };
const begin = ["response.created", "response.in_progress"].map((type) => ({ type, response: begunResponse }));
const failedResponse = (code: string) => ({
  type: "response.failed",
  response: { ...begunResponse, status: "failed", error: { code, message: "Not now" } },
});

describe("an error in place of the beginning of a stream", () => {
  test.each<[string, string, number, object[]]>([
    ["overload of Messages", MESSAGES, 529, [messagesError("overloaded_error")]],
    ["a limit of Messages, after a ping", MESSAGES, 429, [{ type: "ping" }, messagesError("rate_limit_error")]],
    ["a wrong key of Messages", MESSAGES, 401, [messagesError("authentication_error")]],
    ["a limit of chats", CHATS, 429, [{ error: { message: "Not now", code: "rate_limit_exceeded" } }]],
    ["a number as the code", CHATS, 503, [{ error: { message: "Not now", code: 503 } }]],
    [
      "an error after the results of a filter",
      CHATS,
      429,
      [
        { ...textChunk(""), choices: [], prompt_filter_results: [] },
        { error: { message: "Not now", type: "insufficient_quota" } },
      ],
    ],
    ["a response that failed", RESPONSES, 429, [...begin, failedResponse("rate_limit_exceeded")]],
    ["an event `error` of Responses", RESPONSES, 503, [{ type: "error", code: "server_is_overloaded", message: "No" }]],
  ])("%s makes the hub try the next route, for nothing", async (_name, route, status, events) => {
    offer(route);
    // A chat route gets chats from clients of all dialects; a Responses route gets only requests of its own dialect, unchanged.
    for (const path of route === RESPONSES ? ["/v1/responses"] : Object.keys(requests)) {
      customer = await newCustomer(hub);
      hub.services.routeHealth = createRoutingServices(hub).routeHealth;
      upstream.respondNext(streamEvents(...events), streamWords(["Hi"]));
      const { text } = await stream(path);
      expect(text).toContain("Hi");
      expect(text).not.toContain("Not now");
      const billed = 12_000;
      expect(await attempts()).toEqual([
        { outcome: "refused", upstream_status: status, billed },
        { outcome: "succeeded", upstream_status: 200, billed },
      ]);
    }
  });

  test.each<[string, string, object]>([
    ["Messages", MESSAGES, messagesError("api_error")],
    ["chats", CHATS, { error: { message: "Not now", type: "server_error" } }],
    ["Responses", RESPONSES, failedResponse("server_error")],
  ])("that may have done work ends the chat for nothing: %s", async (_name, route, event) => {
    offer(route);
    const { length } = upstream.requests;
    upstream.respondNext(streamEvents(event));
    expect((await stream(route === RESPONSES ? "/v1/responses" : "/v1/chat/completions")).status).toBe(503);
    expect(upstream.requests).toHaveLength(length + 1);
    expect(await attempts()).toEqual([{ outcome: "failed", upstream_status: 500, billed: 0 }]);
  });
});
