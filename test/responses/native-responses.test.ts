import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import type { Customer } from "../api/customer";
import { completeWith, respondWith } from "../chat/upstream";
import { codexRequest } from "./codex-requests";
import { checkStream, type Json, openResponsesHost } from "./open-responses";

const host = await openResponsesHost();
const { upstream } = host;
const offer = (routes: string) =>
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    supports: [vision, tools, structured_output, reasoning]
    routes: [${routes}]
`);
const NATIVE = "{ provider: up, upstream_model: gpt-up, responses: true }";
let customer: Customer;
beforeEach(async () => {
  customer = await host.customer();
  offer(NATIVE);
});

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 25,
};
const reasoning = { id: "rs_up", type: "reasoning", summary: [], encrypted_content: "gAAAA-of-the-provider" };
const message = {
  id: "msg_up",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", annotations: [], text: "Hello" }],
};
const whole = (change: Json = {}): Json => ({
  id: "resp_up",
  object: "response",
  status: "completed",
  model: "gpt-up-2026",
  output: [reasoning, message],
  usage,
  service_tier: "default",
  novelty: 7,
  ...change,
});

/** Responds with these events, numbered. */
const streamNative =
  (...events: Json[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const numbered = events.map((event, sequence_number) => ({ ...event, sequence_number }));
    response.end(
      numbered.map((event) => `event: ${String((event as Json).type)}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
    );
  };
const at = { item_id: "msg_up", output_index: 1, content_index: 0 };
const begin: Json[] = [
  { type: "response.created", response: whole({ status: "in_progress", output: [] }) },
  { type: "response.in_progress", response: whole({ status: "in_progress", output: [] }) },
  { type: "response.output_item.added", output_index: 0, item: reasoning },
  { type: "response.output_item.done", output_index: 0, item: reasoning },
  { type: "response.output_item.added", output_index: 1, item: { ...message, status: "in_progress", content: [] } },
  { type: "response.content_part.added", ...at, part: { type: "output_text", annotations: [], text: "" } },
  { type: "response.output_text.delta", ...at, delta: "Hel" },
  { type: "response.output_text.delta", ...at, delta: "lo" },
];
const end: Json[] = [
  { type: "response.output_text.done", ...at, text: "Hello" },
  { type: "response.content_part.done", ...at, part: message.content[0] },
  { type: "response.output_item.done", output_index: 1, item: message },
  { type: "response.completed", response: whole() },
];

const clock = { type: "namespace", name: "clock", tools: [{ type: "function", name: "now", parameters: {} }] };

describe("a route with Responses", () => {
  test("gets the request as it is, but for its model, limit, state and hosted tools", async () => {
    upstream.respondNext(respondWith(200, whole()));
    const { input, ...rest } = codexRequest;
    const reply = await host.respond(customer.key, {
      ...rest,
      input: [
        ...(input as Json[]),
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
        { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "hub1.sealed" },
        { type: "novelty", a: 1 },
      ],
      seed: 7,
      stream: false,
    });
    const { path, body } = upstream.requests.at(-1)!;
    expect(path).toBe("/v1/responses");
    const sent = body as unknown as Json;
    expect(sent).toMatchObject({
      model: "gpt-up",
      max_output_tokens: 1000,
      store: false,
      reasoning: rest.reasoning,
      client_metadata: rest.client_metadata,
      seed: 7,
      tools: (rest.tools as Json[]).slice(0, -1),
    });
    expect((sent.input as Json[]).slice(0, (input as Json[]).length)).toEqual(input);
    expect((sent.input as Json[]).slice((input as Json[]).length)).toEqual([
      { type: "reasoning", summary: [], encrypted_content: "gAAAA" },
      { type: "novelty", a: 1 },
    ]);
    expect(reply.headers.get("x-hub-dropped")).toBe("web_search");
    expect(reply.body).toMatchObject({ model: "talk", novelty: 7, usage: { ...usage, cost: 0.00003 } });
    expect(reply.body.id).not.toBe("resp_up");
  });

  const long = "abcdefghi ".repeat(10_000);
  test.each<[string, Json, Json | null]>([
    ["summary", {}, { type: "reasoning", summary: [{ type: "summary_text", text: long }], encrypted_content: "gAAAA" }],
    ["content", {}, { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: long }] }],
    ["ciphertext", {}, { type: "reasoning", summary: [], encrypted_content: "gAAAA".repeat(20_000) }],
    ["added tools", {}, { type: "additional_tools", role: "developer", tools: [{ ...clock, description: long }] }],
    ["description of a namespace", { tools: [{ ...clock, description: long }] }, null],
    ["member of a tool", { tools: [{ ...clock, tools: [{ ...clock.tools[0], novelty: long }] }] }, null],
    ["unknown member", { novelty: long }, null],
  ])("gets what a chat does not have, which the hold covers: %s", async (_name, change, item) => {
    const spent = { input_tokens: 25_000, output_tokens: 5, total_tokens: 25_005 };
    upstream.respondNext(respondWith(200, whole({ usage: spent })));
    const input = [...(item ? [item] : []), { role: "user", content: "hello" }];
    const { status, body } = await host.respond(customer.key, { ...change, input, max_output_tokens: 10 });
    expect([status, body.usage]).toMatchObject([200, { ...spent, cost: 0.02501 }]);
    expect(upstream.requests.at(-1)!.text.length).toBeGreaterThan(100_000);
  });

  test("gets no items of tools that no route runs", async () => {
    for (const type of ["mcp_call", "web_search_call", "shell_call_output", "program"]) {
      upstream.respondNext(respondWith(200, whole()));
      const input = [
        { type, output: long },
        { role: "user", content: "hello" },
      ];
      const { headers } = await host.respond(customer.key, { input });
      expect((upstream.requests.at(-1)!.body as unknown as Json).input).toEqual(input.slice(1));
      expect(headers.get("x-hub-dropped")).toBe(type);
    }
  });

  test("pays for what a chat does not have, without a report of usage, and a chat does not", async () => {
    const input = [
      { type: "reasoning", summary: [{ type: "summary_text", text: long }], encrypted_content: "gAAAA" },
      { role: "user", content: "hello" },
    ];
    upstream.respondNext(respondWith(200, whole({ usage: undefined })));
    const { body: native } = await host.respond(customer.key, { input });
    expect((native.usage as Json).input_tokens).toBeGreaterThan(15_000);
    offer(`{ provider: second, upstream_model: gpt-up }, ${NATIVE}`);
    upstream.respondNext(completeWith({ usage: undefined }));
    const { body: chat } = await host.respond(customer.key, { input });
    expect(upstream.requests.at(-1)!.path).toBe("/v1/chat/completions");
    expect((chat.usage as Json).input_tokens).toBeLessThan(100);
  });

  test("is not asked for a file of the operator that an unknown item or part names by its id", async () => {
    const file = { type: "computer_screenshot", file_id: "file-of-the-operator" };
    const before = upstream.requests.length;
    for (const [item, path] of [
      [{ type: "computer_call_output", call_id: "c", output: file }, "input.0.output.file_id"],
      [{ role: "user", content: [file] }, "input.0.content.0.file_id"],
    ] as const) {
      const { status, body } = await host.respond(customer.key, {
        input: [item, { role: "user", content: "look" }],
        stream: false,
      });
      expect([status, (body.error as Json).param]).toEqual([400, path]);
    }
    expect(upstream.requests).toHaveLength(before);
  });

  test("streams the provider's events under the hub's ids, and keeps its ciphertext for later turns", async () => {
    upstream.respondNext(streamNative(...begin, ...end));
    const { events } = await host.stream(customer.key, { input: "hello" });
    const made = checkStream(events) as { id: string; output: Json[] };
    expect(made).toMatchObject({ model: "talk", novelty: 7, usage: { ...usage, cost: 0.00003 }, store: true });
    expect(JSON.stringify(events)).not.toMatch(/_up"|gAAAA/);
    upstream.respondNext(respondWith(200, whole()));
    await host.respond(customer.key, { input: "more", previous_response_id: made.id });
    const sent = upstream.requests.at(-1)!.body as unknown as Json;
    expect(sent).not.toHaveProperty("previous_response_id");
    expect(sent.input).toMatchObject([
      { role: "user", content: "hello" },
      { type: "reasoning", encrypted_content: "gAAAA-of-the-provider" },
      { type: "message", content: [{ text: "Hello" }] },
      { role: "user", content: "more" },
    ]);
    expect((sent.input as Json[]).some((item) => Object.hasOwn(item, "id"))).toBe(false);
    offer("{ provider: up, upstream_model: gpt-up }");
    await host.respond(customer.key, { input: "on a chat", previous_response_id: made.id });
    expect(upstream.requests.at(-1)!.body.messages).toEqual([
      { role: "user", content: "hello" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: "on a chat" },
    ]);
  });

  test.each([
    ["is cut", begin],
    [
      "fails",
      [
        ...begin,
        { type: "response.failed", response: whole({ status: "failed", error: { code: "x", message: "no" } }) },
      ],
    ],
  ])("ends with response.failed when the provider's stream %s, and charges what came", async (_, sent) => {
    upstream.respondNext(streamNative(...sent));
    const { events } = await host.stream(customer.key, { input: "hello" });
    expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { error: { code: "server_error" } } });
  });

  test.each([
    ["an event", (response: Json) => streamNative({ type: "response.created", response }, ...begin.slice(1), ...end.slice(0, -1), { type: "response.completed", response })], // prettier-ignore
    ["a whole response", (response: Json) => respondWith(200, response)],
  ])("may repeat thousands of values of the request in %s", async (_name, answer) => {
    for (const description of ["", "abcdefghi ".repeat(100_000)]) {
      const parameters = { type: "object", description, enum: Array.from({ length: 12_000 }, (_, n) => n) };
      upstream.respondNext(answer(whole({ tools: [{ type: "function", name: "f", parameters }] })));
      const { events } = await host.stream(customer.key, { input: "hello" });
      expect(checkStream(events)).toMatchObject({ output: [{ type: "reasoning" }, { content: [{ text: "Hello" }] }] });
    }
  });

  test("of a server that ignores `stream`, and of a chat route as well, has all events", async () => {
    upstream.respondNext(respondWith(200, whole()));
    const { events } = await host.stream(customer.key, { input: "hello" });
    expect(checkStream(events)).toMatchObject({ output: [{ type: "reasoning" }, { content: [{ text: "Hello" }] }] });
  });

  test("is tried alone by a request that no chat can express", async () => {
    offer(`{ provider: second, upstream_model: gpt-up }, ${NATIVE}`);
    upstream.respondNext(respondWith(200, whole()));
    const reply = await host.respond(customer.key, { input: [{ type: "novelty" }] });
    expect([reply.status, upstream.requests.at(-1)!.path]).toEqual([200, "/v1/responses"]);
  });

  test("rejects the fields of its `refuse`, for which the next route is tried", async () => {
    const refusing = NATIVE.replace(" }", ", refuse: [service_tier, reasoning] }");
    offer(refusing);
    const { length } = upstream.requests;
    const flex = { input: "hello", service_tier: "flex" };
    const { status, body } = await host.respond(customer.key, flex);
    expect([status, body]).toMatchObject([400, { error: { param: "service_tier" } }]);
    const streamed = { input: "hello", reasoning: { effort: "low" }, stream: true };
    expect(await host.respond(customer.key, streamed)).toMatchObject({ status: 400 });
    expect(upstream.requests).toHaveLength(length);
    upstream.respondNext(respondWith(200, whole()));
    expect((await host.respond(customer.key, { ...flex, service_tier: null })).status).toBe(200);
    offer(`${refusing}, { provider: second, upstream_model: gpt-up }`);
    expect((await host.respond(customer.key, flex)).status).toBe(200);
    expect(upstream.requests.at(-1)).toMatchObject({ path: "/v1/chat/completions", body: { service_tier: "flex" } });
  });
});
