import { beforeEach, expect, test } from "vitest";
import { type ChatCall, type ChatChunk, NATIVE } from "../../server/providers/chat-call";
import type { Provider } from "../../server/providers/provider";
import { runAudit } from "../../server/domain/audit/audit";
import { insertFile } from "../insert-file";
import { type Customer, newCustomer } from "../api/customer";
import { openChatHost } from "../chat/host";
import { claudeCodeRequest } from "./claude-code-request";
import { parseEvents } from "./host";

const host = await openChatHost();
const { hub, url, upstream } = host;

const model = (extra = "") => `
  - id: opus
    llm: { input_cost_per_million: 4, output_cost_per_million: 20, cache_write_cost_per_million: 5, context_length: 200000, max_output_tokens: 32000 }
    supports: [vision, tools]
    routes: [{ provider: up, upstream_model: claude-opus-5-5 }${extra}]
`;

const usage = { input_tokens: 12, cache_read_input_tokens: 0, cache_creation_input_tokens: 100, output_tokens: 20 };
const answer = {
  id: "msg_up",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage,
};
const events: { type: string; [name: string]: unknown }[] = [
  { type: "message_start", message: { ...answer, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
  { type: "message_stop" },
];

/** A provider that speaks Messages: it answers what Anthropic would, and remembers what it got. */
const calls: ChatCall[] = [];
const refusals: { status: number }[] = [];
const refuse = (status: number) => ({
  state: "failed" as const,
  error: { code: "provider_refused" as const, message: "overloaded", retryable: true },
  started: false,
  upstreamStatus: status,
});
const provider: Provider = {
  speaks: ({ upstreamModel }, dialect) => dialect === "messages" && upstreamModel!.startsWith("claude"),
  chat(call, signal) {
    if (call.dialect === "chat") return chats.chat!(call, signal);
    calls.push(call);
    const message = { role: "assistant", content: "Hi" };
    const completion = { [NATIVE]: answer, choices: [{ index: 0, message, finish_reason: "stop" }], usage };
    return Promise.resolve({ state: "succeeded", completion });
  },
  streamChat(call, signal) {
    if (call.dialect === "chat") return chats.streamChat!(call, signal);
    calls.push(call);
    const refusal = refusals.shift();
    return Promise.resolve(refusal ? refuse(refusal.status) : { state: "streaming", chunks: listChunks() });
  },
};

async function* listChunks(): AsyncGenerator<ChatChunk, void> {
  for (const data of events) {
    const delta = data.type === "content_block_delta" ? { content: "Hi" } : {};
    const finish_reason = data.type === "message_delta" ? "stop" : null;
    const choices = finish_reason || delta.content ? [{ index: 0, delta, finish_reason }] : [];
    yield await Promise.resolve({ [NATIVE]: { type: data.type, data }, choices, ...(finish_reason && { usage }) });
  }
}

const chats = hub.providers.openai!;
hub.providers = { ...hub.providers, openai: provider };

let customer: Customer;
beforeEach(async () => {
  host.setModels(model());
  calls.length = 0;
  customer = await newCustomer(hub, { credit: 100 });
});

const request = { ...claudeCodeRequest, model: "opus", max_tokens: 4000, stream: true };
const send = async (body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": customer.key,
      "anthropic-version": "2026-10-21",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, events: parseEvents(text) };
};
const sentBody = () => {
  const { text, body } = calls.at(-1)!;
  return JSON.parse(text ? Buffer.from(text()).toString() : JSON.stringify(body)) as Record<string, unknown>;
};

test("a native route gets the client's own object, with only its model, limit and stream replaced", async () => {
  const messages = request.messages.filter(({ role }) => role !== "assistant");
  const odd = { ...request, messages, safeguards: { a: [1] }, novel: 12345678901234567890n };
  const text = JSON.stringify(odd, (_name, value: unknown) => (typeof value === "bigint" ? `#${value}#` : value));
  const betas = "claude-code-20250219,novel-2027-01-01,fast-mode-2026-02-01";
  const exact = text.replaceAll(/"#(\d+)#"/g, "$1");
  const { headers, events: sent } = await send(exact, { "anthropic-beta": betas });
  expect(sent.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  expect(sent.at(-2)!.usage).toEqual({ ...usage, cost: expect.any(Number) as number });
  const { text: forwarded, headers: forwardedHeaders } = calls.at(-1)!;
  expect(Buffer.from(forwarded!()).toString()).toContain('"novel":12345678901234567890');
  const { novel, ...rest } = odd;
  expect(novel).toBeTypeOf("bigint");
  expect(sentBody()).toMatchObject({ ...rest, model: "claude-opus-5-5", max_tokens: 4000, stream: true });
  expect(forwardedHeaders).toEqual({
    "anthropic-version": "2026-10-21",
    "anthropic-beta": "claude-code-20250219,novel-2027-01-01",
  });
  expect(headers.get("x-hub-dropped")).toBe("fast-mode-2026-02-01");
});

test("a native route gets unknown blocks, but no thinking that Anthropic has not signed", async () => {
  const signed = { type: "thinking", thinking: "", signature: "EqQBCkYI" };
  const foreign = { type: "thinking", thinking: "x", signature: "hub.chat" };
  const messages = [
    { role: "user", content: [{ type: "hologram", source: { type: "beam" } }] },
    { role: "assistant", content: [signed, foreign, { type: "text", text: "Hi" }] },
    { role: "user", content: "Go on" },
    { role: "assistant", content: [foreign] },
  ];
  const { status } = await send({ ...request, messages, stream: false });
  expect(status).toBe(200);
  expect(sentBody().messages).toEqual([
    messages[0],
    { role: "assistant", content: [signed, { type: "text", text: "Hi" }] },
    messages[2],
  ]);
});

test("a native route gets the content of the account's own files", async () => {
  const content = Buffer.from("a picture");
  const id = await insertFile(hub, customer.account, content);
  const source = { type: "url", url: `https://hub.test/api/v1/hub/files/${id}` };
  const { status } = await send({
    ...request,
    messages: [{ role: "user", content: [{ type: "image", source }] }],
  });
  expect(status).toBe(200);
  const base64 = { type: "base64", media_type: "image/png", data: content.toString("base64") };
  expect(sentBody().messages).toEqual([{ role: "user", content: [{ type: "image", source: base64 }] }]);
});

test("a chat takes over when the native route refuses, without marks of caches", async () => {
  host.setModels(model(", { provider: up, upstream_model: gpt-up }"));
  refusals.push({ status: 529 });
  const { status, headers, events: sent } = await send({ ...request, tools: undefined });
  expect(status).toBe(200);
  expect(calls).toHaveLength(1);
  expect(sent.at(-1)).toEqual({ type: "message_stop" });
  expect(headers.get("x-hub-dropped")!.split(",")).toEqual(expect.arrayContaining(["metadata", "cache_control"]));
  expect(upstream.requests.at(-1)!.text).not.toContain("cache_control");
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const inMessage = (block: object) => ({ messages: [{ role: "user", content: [block] }] });
const inAnswer = (...content: object[]) => ({
  messages: [...inMessage({ type: "text", text: "Hi" }).messages, { role: "assistant", content }],
});
const call = (mark: object) => ({ type: "tool_use", id: "x", name: "x", input: {}, ...mark });
const CHAT_ROUTE = ", { provider: up, upstream_model: gpt-up }";
const words = "abcdefghi ".repeat(10_000);
test.each<[string, object, string?]>([
  ["examples of a tool", { tools: [{ name: "x", input_schema: { type: "object" }, input_examples: [{ words }] }] }],
  ["the context of a document", inMessage({ type: "document", source: { type: "content", content: "Hi" }, context: words })], // prettier-ignore
  ["an unknown member", { novel: words }],
  ["a member of a message", { messages: [{ role: "user", content: "Hi", novel: words }] }],
  ["a server's result", inAnswer({ type: "web_search_tool_result", tool_use_id: "x", content: words }), CHAT_ROUTE],
  ["signed thinking", inAnswer({ type: "thinking", thinking: words, signature: "EqQBCkYI" }), CHAT_ROUTE],
])("the hold covers what a chat does not have: %s", async (_name, change, others = "") => {
  host.setModels(model(others));
  const { status, text } = await send({ ...request, tools: undefined, stream: false, ...change });
  expect([status, text]).toEqual([200, expect.any(String)]);
  expect(JSON.stringify(sentBody())).toContain(words);
  const [row] = await hub.db.query<{ most: number }>(
    "SELECT (price->>'most_input_tokens')::int AS most FROM generation WHERE account_id = $1",
    [customer.account],
  );
  expect(row!.most).toBeGreaterThan(words.length);
});

const long = { cache_control: { type: "ephemeral", ttl: "1h" } };
const marked = [{ type: "text", text: "Hi", ...long }];
test.each<[string, object, string, string?]>([
  ["a system text", { system: marked }, "system.0"],
  ["a document", inMessage({ type: "document", title: "T", source: { type: "content", content: "Hi" }, ...long }), "messages.0.content.0"], // prettier-ignore
  ["a result", inMessage({ type: "tool_result", tool_use_id: "x", content: marked }), "messages.0.content.0"],
  ["a found text", inMessage({ type: "search_result", source: "x", title: "x", content: marked }), "messages.0.content.0"], // prettier-ignore
  ["an added tool", inMessage({ type: "tool_addition", tool: { name: "x", ...long } }), "messages.0.content.0"],
  ["a call before one with a short cache", inAnswer(call(long), call({ cache_control: { type: "ephemeral" } })), "messages.1.content"], // prettier-ignore
  ["a server's result", inAnswer({ type: "web_search_tool_result", tool_use_id: "x", content: [], ...long }), "messages.1.content", CHAT_ROUTE], // prettier-ignore
  ["an unknown tool", { tools: [{ type: "tools_2027", tools: [long] }] }, "tools.0"],
])("a long cache without a price is a 400 with its path: %s", async (_name, change, place, others = "") => {
  host.setModels(model(others));
  const { status, text } = await send({ ...request, tools: undefined, ...change });
  expect([status, text]).toEqual([400, expect.stringContaining(`${place}.cache_control.ttl`)]);
  const free = { name: "x", input_schema: { type: "object", properties: long } };
  expect((await send({ ...request, tools: [free] })).status).toBe(200);
});

test("a native route rejects the fields of its `refuse`, for which the next route is tried", async () => {
  const refusing = model().replace(" }]", ", refuse: [thinking] }]");
  host.setModels(refusing);
  const thoughtful = {
    ...request,
    tools: undefined,
    stream: false,
    thinking: { type: "enabled", budget_tokens: 2000 },
  };
  const { status, text } = await send(thoughtful);
  expect([status, text]).toEqual([400, expect.stringContaining("thinking")]);
  expect((await send({ ...thoughtful, thinking: undefined })).status).toBe(200);
  expect(calls).toHaveLength(1);
  host.setModels(refusing.replace(/\]\n$/, `${CHAT_ROUTE}]\n`));
  expect((await send(thoughtful)).status).toBe(200);
  expect(calls).toHaveLength(1);
  expect(upstream.requests.at(-1)!.path).toBe("/v1/chat/completions");
});

test("the hold covers the tier that a native route may serve, which a chat does not get", async () => {
  const plain = { ...request, tools: undefined };
  const cost = async (service_tier?: string) => {
    const { status, headers } = await send({ ...plain, service_tier });
    expect(status).toBe(200);
    const [row] = await hub.db.query<{ held: number; billed: number }>(
      "SELECT estimated_cost::float8 AS held, billed_cost::float8 AS billed FROM generation WHERE id = $1",
      [headers.get("x-generation-id")],
    );
    return { ...row!, dropped: headers.get("x-hub-dropped") };
  };
  host.setModels(model(CHAT_ROUTE).replace("llm: {", "llm: { service_tiers: { priority: 2 },"));
  // As long as "auto", because the text of the request counts as well.
  const { held } = await cost("flex");
  expect((await cost("auto")).held).toBe(2 * held);
  expect(sentBody().service_tier).toBe("auto");
  refusals.push({ status: 529 }, { status: 529 });
  const standard = await cost("standard");
  const dropped = expect.stringContaining("service_tier") as string;
  expect(await cost("priority")).toEqual({ held: 2 * standard.held, billed: standard.billed, dropped });
  expect(upstream.requests.at(-1)!.text).not.toContain("service_tier");
});
