import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { createKey } from "../../server/domain/keys/create";
import { type Customer, newCustomer } from "../api/customer";
import { MODEL_YAML, openChatHost } from "../chat/host";
import { completeWith, errorBody, respondWith } from "../chat/upstream";
import { DONE, streamEvents, streamWords, takeNext, textChunk, usageOf } from "../openai/stream-upstream";
import { checkOrder, clientOf, parseEvents } from "./host";

const host = await openChatHost();
const { hub, upstream, url } = host;
let customer: Customer;
let client: Anthropic;
beforeEach(async () => {
  host.setModels(MODEL_YAML);
  customer = await newCustomer(hub);
  client = clientOf(host, customer);
});
afterEach(async () => {
  await expect.poll(() => hub.chats.size).toBe(0);
});
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const hello = { model: "talk", max_tokens: 500, messages: [{ role: "user" as const, content: "hello" }] };

const send = async (body: Record<string, unknown>, headers: Record<string, string> = {}, path = "/v1/messages") => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": customer.key,
      "anthropic-version": "2023-06-01",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, events: parseEvents(text) };
};
const sendJson = async (body: Record<string, unknown>, headers?: Record<string, string>) => {
  const { text, ...rest } = await send(body, headers);
  return { ...rest, body: JSON.parse(text) as Record<string, unknown> & { error: { type: string; message: string } } };
};
const sentUpstream = () => upstream.requests.at(-1)!.body as Record<string, unknown>;
const chunkOf = (delta: Record<string, unknown>, finish_reason: string | null = null) => ({
  ...textChunk(""),
  choices: [{ index: 0, delta, finish_reason }],
});

describe("a message", () => {
  test("works through the official SDK, whole and streamed, against the sandbox", async () => {
    const sandboxed = client.messages.create({ ...hello, model: "sandbox-text" });
    const { data, response, request_id } = await sandboxed.withResponse();
    expect(data).toMatchObject({
      type: "message",
      role: "assistant",
      model: "sandbox-text",
      content: [{ type: "text", text: expect.stringMatching(/^You say: hello/) as string }],
      stop_reason: "end_turn",
      usage: { input_tokens: expect.any(Number) as number, cost: expect.any(Number) as number },
    });
    const id = response.headers.get("x-generation-id")!;
    expect(data.id).toBe(`msg_${id.replaceAll("-", "")}`);
    expect(response.headers.has("x-hub-dropped")).toBe(false);
    const stream = client.messages.stream({ ...hello, model: "sandbox-text" });
    const message = await stream.finalMessage();
    expect(request_id).toBe(response.headers.get("x-request-id"));
    expect(stream.request_id).toMatch(/^req_/);
    expect(message.content).toEqual(data.content);
    const { input_tokens, output_tokens } = data.usage;
    expect(message.usage).toMatchObject({ input_tokens, output_tokens });
  });

  test("is one generation and one charge, which its usage names", async () => {
    upstream.respondNext(
      completeWith({
        usage: { ...usageOf(100, 7), prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } },
      }),
    );
    const { body, headers } = await sendJson(hello);
    expect(body.usage).toEqual({
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
      output_tokens: 7,
      cost: 0.000114,
    });
    const rows = await hub.db.query<{ id: string; billed: number }>(
      "SELECT id, billed_cost::int AS billed FROM generation WHERE account_id = $1",
      [customer.account],
    );
    expect(rows).toEqual([{ id: headers.get("x-generation-id"), billed: 114_000 }]);
  });

  test("is the same for the same idempotency key, also as a stream", async () => {
    const headers = { "idempotency-key": "one" };
    const first = await sendJson(hello, headers);
    const again = await sendJson(hello, headers);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const streamed = { ...hello, stream: true };
    upstream.respondNext(streamWords(["Good", " morning"]));
    await send(streamed, { "idempotency-key": "two" });
    const replay = await send(streamed, { "idempotency-key": "two" });
    checkOrder(replay.events);
    expect(replay.events.find(({ delta }) => delta?.type === "text_delta")!.delta!.text).toBe("Good morning");
    expect(replay.events.at(-2)!.usage!.cost).toBeGreaterThan(0);
  });

  test("is the same for the same idempotency key once its model is no longer offered, also as a stream", async () => {
    const headers = { "idempotency-key": "whole" };
    const streamed = { ...hello, stream: true };
    const first = await sendJson(hello, headers);
    upstream.respondNext(streamWords(["Good", " morning"]));
    const { text } = await send(streamed, { "idempotency-key": "streamed" });
    expect(text).toContain("message_stop");
    host.setModels(MODEL_YAML.replace("id: talk", "id: other"));
    expect((await sendJson(hello)).status).toBe(404);
    const again = await sendJson(hello, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-generation-id")).toBe(first.headers.get("x-generation-id"));
    const replay = await send(streamed, { "idempotency-key": "streamed" });
    checkOrder(replay.events);
    expect(replay.events.find(({ delta }) => delta?.type === "text_delta")!.delta!.text).toBe("Good morning");
    expect((await send({ ...hello, max_tokens: 400 }, headers)).status).toBe(409);
  });

  test("has system messages at any place, results of tools first, and long names of tools", async () => {
    const name = `mcp__${"a".repeat(100)}`;
    const tools = [{ name, input_schema: { type: "object" } }];
    const { headers } = await sendJson({
      ...hello,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      tools,
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      metadata: { user_id: "u" },
      messages: [
        { role: "user", content: [{ type: "text", text: "Look." }] },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name, input: { a: 1 } }] },
        {
          role: "user",
          content: [
            { type: "text", text: "Here." },
            {
              type: "tool_result",
              tool_use_id: "t1",
              is_error: true,
              content: [
                { type: "text", text: "broken" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
              ],
            },
          ],
        },
        { role: "system", content: "It is late.", output_config: { effort: "low" } },
      ],
    });
    const sent = sentUpstream() as { messages: Record<string, unknown>[]; tools: { function: { name: string } }[] };
    const short = sent.tools[0]!.function.name;
    expect(short).toHaveLength(64);
    expect(sent).toMatchObject({ tool_choice: "required", parallel_tool_calls: false, max_tokens: 500 });
    expect(sent.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t1", type: "function", function: { name: short, arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "t1", content: "Error: broken" },
      {
        role: "user",
        content: [
          { type: "text", text: "Here." },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
      { role: "system", content: "It is late." },
    ]);
    expect(headers.get("x-hub-dropped")!.split(",").sort()).toEqual([
      "cache_control",
      "messages.output_config",
      "metadata",
    ]);
  });

  const closed = (properties: Record<string, unknown>) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });
  const text = { type: "string" };
  test.each<[string, Record<string, unknown>, boolean]>([
    ["closed objects alone", closed({ a: { type: "array", items: { $ref: "#/$defs/b" } }, c: text }), true],
    ["an object with a name of JSON Schema", closed({ properties: text, type: { enum: [{ type: "object" }] } }), true],
    ["an optional property", { ...closed({ a: text, b: text }), required: ["a"] }, false],
    ["an object that takes others", { type: "object", properties: { a: text }, required: ["a"] }, false],
    ["such an object in a list", closed({ a: { type: "array", items: { type: "object" } } }), false],
    ["such an object in a choice", closed({ a: { anyOf: [text, { type: ["object", "null"] }] } }), false],
    [
      "such an object by its name",
      { ...closed({ a: { $ref: "#/$defs/b" } }), $defs: { b: { properties: {} } } },
      false,
    ],
  ])("asks for JSON of a schema with %s, which is strict if OpenAI takes it so", async (_kind, schema, isStrict) => {
    const { status } = await sendJson({ ...hello, output_config: { format: { type: "json_schema", schema } } });
    expect(status).toBe(200);
    expect(sentUpstream().response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "output", schema, ...(isStrict && { strict: true }) },
    });
  });

  test("calls a tool by the client's name", async () => {
    const name = `mcp__${"a".repeat(100)}`;
    const { body } = await sendJson({ ...hello, tools: [{ name, input_schema: { type: "object" } }] });
    expect(body).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", id: "call_1", name, input: { city: "Paris" } }],
    });
  });
});

describe("a stream", () => {
  const calls = (...pieces: Record<string, unknown>[]) => chunkOf({ tool_calls: pieces });
  const streamed = { ...hello, stream: true, tools: [{ name: "read", input_schema: { type: "object" } }] };

  test("has interleaved calls one after the other, also if upstream ends with stop", async () => {
    const call = (index: number, text: string, id?: string) => ({
      index,
      ...(id && { id, type: "function" }),
      function: { ...(id && { name: `tool_${id}` }), arguments: text },
    });
    upstream.respondNext(
      streamEvents(
        chunkOf({ content: "I look." }),
        calls(call(0, '{"a"', "x"), call(1, '{"b', "y")),
        calls(call(2, "{", "z"), call(0, ":1}")),
        calls(call(1, '":2}'), call(2, "}")),
        chunkOf({}, "stop"),
        { ...textChunk(""), choices: [], usage: usageOf(10, 9) },
        DONE,
      ),
    );
    const { events } = await send(streamed);
    checkOrder(events);
    const message = await collect(events);
    expect(message).toEqual([
      { type: "text", text: "I look." },
      { type: "tool_use", id: "x", name: "tool_x", input: { a: 1 } },
      { type: "tool_use", id: "y", name: "tool_y", input: { b: 2 } },
      { type: "tool_use", id: "z", name: "tool_z", input: {} },
    ]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } });
    expect(events.at(-1)).toEqual({ type: "message_stop" });
  });

  test.each(["stop_reason", "matched_stop"])("names the stop sequence that its server names in %s", async (member) => {
    const stop = { finish_reason: "stop", [member]: "END" };
    const stopped = { stop_reason: "stop_sequence", stop_sequence: "END" };
    const request = { ...hello, stop_sequences: ["END"] };
    upstream.respondNext(completeWith({ choices: [{ index: 0, message: { content: "Hi" }, ...stop }] }));
    expect((await sendJson(request)).body).toMatchObject(stopped);
    const end = { ...textChunk(""), choices: [{ index: 0, delta: {}, ...stop }] };
    upstream.respondNext(streamEvents(textChunk("Hi"), end, { ...textChunk(""), choices: [], usage: usageOf(9, 1) }, DONE)); // prettier-ignore
    const key = { "idempotency-key": `stop ${member}` };
    const { events } = await send({ ...request, stream: true }, key);
    expect(events.at(-2)!.delta).toMatchObject(stopped);
    const replayed = await send({ ...request, stream: true }, key);
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect(replayed.events.at(-2)!.delta).toMatchObject(stopped);
    const chat = { index: 0, message: { content: "Hi" }, ...stop, [member]: 128_001 };
    upstream.respondNext(completeWith({ choices: [chat] }));
    expect((await sendJson(request)).body).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
  });

  test("has thinking with a signature, text and a call, and the estimate of its prompt at the start", async () => {
    upstream.respondNext(
      streamEvents(
        chunkOf({ role: "assistant", content: "", reasoning_content: "Hm" }),
        chunkOf({ reasoning_content: "m." }),
        chunkOf({ content: "Look" }),
        calls({ index: 0, id: "x", type: "function", function: { name: "read", arguments: "{}" } }),
        chunkOf({}, "tool_calls"),
        { ...textChunk(""), choices: [], usage: usageOf(1234, 9) },
        DONE,
      ),
    );
    const { events } = await send(streamed);
    checkOrder(events);
    expect(await collect(events)).toEqual([
      { type: "thinking", thinking: "Hmm.", signature: "hub.chat" },
      { type: "text", text: "Look" },
      { type: "tool_use", id: "x", name: "read", input: {} },
    ]);
    const usage = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
    expect(events[0]!.message).toMatchObject({ content: [], usage });
    expect((events[0]!.message!.usage as { input_tokens: number }).input_tokens).toBeGreaterThan(5);
    expect(events.at(-2)!.usage).toMatchObject({ input_tokens: 1234, output_tokens: 9 });
  });

  test("gives the model its own thinking back, and drops that of others", async () => {
    const reasoning = MODEL_YAML.replace("structured_output", "structured_output, reasoning");
    const messages = [
      ...hello.messages,
      {
        role: "assistant" as const,
        content: [
          { type: "thinking" as const, thinking: "Hmm.", signature: "hub.chat" },
          { type: "thinking" as const, thinking: "Foreign", signature: "EqQBCkYI" },
          { type: "redacted_thinking" as const, data: "x" },
          { type: "text" as const, text: "Hi" },
        ],
      },
      ...hello.messages,
    ];
    host.setModels(reasoning);
    const { headers } = await sendJson({
      ...hello,
      thinking: { type: "adaptive", display: "omitted" },
      output_config: { effort: "max" },
      messages,
    });
    expect(sentUpstream()).toMatchObject({
      reasoning_effort: "high",
      messages: [{}, { role: "assistant", content: "Hi", reasoning_content: "Hmm." }, {}],
    });
    expect(headers.get("x-hub-dropped")).toBe("thinking,redacted_thinking");
  });

  test.each([
    ["by an error", 'data: {"error":{"message":"boom"}}\n\n'],
    ["without a word", ""],
  ])("that breaks %s ends with an event, and is charged what it sent", async (_how, last) => {
    upstream.respondNext(streamEvents(textChunk("Ten"), textChunk(" words"), last));
    const { events } = await send(streamed);
    expect(events.at(-1)).toMatchObject({ type: "error", error: { type: expect.any(String) as string } });
    const [row] = await hub.db.query<{ status: string; billed: number }>(
      "SELECT status, billed_cost::int AS billed FROM generation WHERE account_id = $1",
      [customer.account],
    );
    expect(row).toMatchObject({ status: "canceled" });
    expect(row!.billed).toBeGreaterThan(0);
    await expect(client.messages.stream({ ...hello, model: "sandbox-text", max_tokens: 4 }).finalMessage()).resolves.toMatchObject({ stop_reason: "max_tokens" }); // prettier-ignore
  });
});

/** Returns the content that the official SDK puts together of events. */
async function collect(events: unknown[]): Promise<unknown[]> {
  const text = events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
  const reply = () =>
    Promise.resolve(new Response(text.join(""), { headers: { "content-type": "text/event-stream" } }));
  const sdk = new Anthropic({ apiKey: "x", fetch: reply });
  return (await sdk.messages.stream({ ...hello }).finalMessage()).content;
}

test("a limit that the balance does not cover is lowered, and named", async () => {
  const dear = MODEL_YAML.replace("output_cost_per_million: 2", "output_cost_per_million: 1000").replace(
    "max_output_tokens: 1000",
    "max_output_tokens: 128000",
  );
  host.setModels(dear);
  upstream.respondNext(
    streamEvents(textChunk("All", "length"), { ...textChunk(""), choices: [], usage: usageOf(9, 1) }),
  );
  const { headers, events } = await send({ ...hello, max_tokens: 128_000, stream: true });
  const clamped = Number(headers.get("x-hub-max-tokens"));
  expect(clamped).toBeGreaterThanOrEqual(4_096);
  expect(clamped).toBeLessThan(10_000);
  expect(sentUpstream()).toMatchObject({ max_tokens: clamped });
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "max_tokens" } });
});

test("a limit above the model's is lowered, and named, also of the same response again", async () => {
  for (const stream of [false, true, true]) {
    const reply = await send({ ...hello, max_tokens: 1_001, stream }, { "idempotency-key": `above ${stream}` });
    expect([reply.status, reply.headers.get("x-hub-max-tokens")]).toEqual([200, "1000"]);
  }
  expect(sentUpstream()).toMatchObject({ max_tokens: 1_000 });
  expect((await send({ ...hello, max_tokens: 1_000 })).headers.has("x-hub-max-tokens")).toBe(false);
});

describe("a repeat of what was not delivered", () => {
  const charges = async () =>
    (
      await hub.db.query<{ billed: number }>(
        "SELECT billed_cost::int AS billed FROM generation WHERE account_id = $1 ORDER BY id",
        [customer.account],
      )
    ).map(({ billed }) => billed);

  test("of a stream that upstream broke costs no more than one answer, also with another limit", async () => {
    upstream.respondNext(streamEvents(textChunk("Ten"), textChunk(" words"), 'data: {"error":{"message":"boom"}}\n\n'));
    await send({ ...hello, stream: true });
    const full = { ...usageOf(1_000, 100) };
    upstream.respondNext(completeWith({ usage: full }), completeWith({ usage: full }));
    const repeat = await sendJson({ ...hello, max_tokens: 900, stream: false });
    expect(repeat.status).toBe(200);
    const [broken, repeated] = await charges();
    expect(broken).toBeGreaterThan(0);
    expect(broken! + repeated!).toBe(1_200_000);
    await sendJson(hello);
    expect((await charges())[2]).toBe(1_200_000);
  });

  test("that fails leaves what was paid to the next repeat", async () => {
    upstream.respondNext(streamEvents(textChunk("Ten"), textChunk(" words"), 'data: {"error":{"message":"boom"}}\n\n'));
    await send({ ...hello, stream: true });
    upstream.respondNext(respondWith(500, errorBody("boom")), completeWith({ usage: usageOf(1_000, 100) }));
    expect((await sendJson(hello)).status).toBe(503);
    expect((await sendJson(hello)).status).toBe(200);
    const [broken, failed, repeated] = await charges();
    expect(failed).toBe(0);
    expect(broken! + repeated!).toBe(1_200_000);
  });

  test("that breaks too adds up: all together cost what the dearest costs", async () => {
    const breaking = (text: string) => streamEvents(textChunk(text), 'data: {"error":{"message":"boom"}}\n\n');
    upstream.respondNext(breaking("one two three"), breaking("one"), completeWith({ usage: usageOf(1_000, 100) }));
    await send({ ...hello, stream: true });
    await send({ ...hello, stream: true });
    await sendJson(hello);
    expect((await charges()).reduce((sum, one) => sum + one, 0)).toBe(1_200_000);
  });

  const options = { ...hello, stream: true as const };

  /** Starts a stream whose client leaves after the first word. */
  async function leaveStream() {
    const taken = takeNext(upstream);
    const controller = new AbortController();
    const opening = fetch(`${url}/v1/messages`, {
      method: "POST",
      signal: controller.signal,
      headers: { "content-type": "application/json", "x-api-key": customer.key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify(options),
    });
    const up = await taken;
    up.text("Good");
    const id = (await opening).headers.get("x-generation-id");
    controller.abort();
    return { up, id };
  }

  test("that joins a stream which then breaks leaves what was paid to the next repeat", async () => {
    const { up } = await leaveStream();
    const joining = send(options);
    const sql = "SELECT FROM generation WHERE account_id = $1 AND joinable_at > $2";
    await expect.poll(() => hub.db.query(sql, [customer.account, hub.now()])).toHaveLength(1);
    up.text(" morning");
    up.raw('data: {"error":{"message":"boom"}}\n\n');
    up.response.end();
    const joined = await joining;
    expect([joined.status, joined.headers.get("idempotent-replayed")]).toEqual([503, "true"]);
    upstream.respondNext(completeWith({ usage: usageOf(1_000, 100) }));
    expect((await sendJson(hello)).status).toBe(200);
    const [broken, repeated, ...others] = await charges();
    expect(broken).toBeGreaterThan(0);
    expect(broken! + repeated!).toBe(1_200_000);
    expect(others).toEqual([]);
  });

  test("whose client left gets the same answer, and a later one another", async () => {
    const { up, id } = await leaveStream();
    const repeating = send(options);
    up.text(" morning");
    up.finish(usageOf(10, 2));
    const { headers, events } = await repeating;
    expect(headers.get("x-generation-id")).toBe(id);
    checkOrder(events);
    expect(events.find(({ delta }) => delta?.type === "text_delta")!.delta!.text).toBe("Good morning");
    expect(await charges()).toEqual([14_000]);
    upstream.respondNext(streamWords(["Bye"]));
    expect((await send(options)).headers.get("x-generation-id")).not.toBe(id);
    expect(await charges()).toHaveLength(2);
  });
});

describe("errors", () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      "an unknown block",
      { messages: [{ role: "user", content: [{ type: "hologram" }] }] },
      "messages.0.content.0.type: ",
    ],
    ["a tool of Anthropic's", { tools: [{ type: "bash_20250124", name: "bash" }] }, "tools.0.type: "],
    ["a search", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools.0.type: "],
    ["a search that a message adds", { messages: [{ role: "system", content: [{ type: "tool_addition", tool: { type: "web_search_20250305" } }] }] }, "messages.0.content.0.tool.type: "], // prettier-ignore
    ["a faster tier", { speed: "fast" }, "speed: "],
    ["servers of tools", { mcp_servers: [{ url: "https://mcp.example" }] }, "mcp_servers: "],
    ["other models", { fallbacks: [{ model: "x" }] }, "fallbacks: "],
    ["a container", { container: "c" }, "container: "],
    [
      "compaction",
      { context_management: { edits: [{ type: "compact_20260112" }] } },
      "context_management.edits.0.type: ",
    ],
    ["a place", { inference_geo: "us" }, "inference_geo: "],
    ["too many stops", { stop_sequences: ["a", "b", "c", "d", "e"] }, "stop_sequences: "],
    ["no output", { max_tokens: 0 }, "max_tokens: "],
    ["no limit", { max_tokens: undefined }, "max_tokens: "],
    ["another role", { messages: [{ role: "robot", content: "x" }] }, "messages.0.role: "],
    ["a file that the account does not have", { messages: [{ role: "user", content: [{ type: "image", source: { type: "file", file_id: "f" } }] }] }, "messages.0.content.0: "], // prettier-ignore
    ["a file of an assistant", { messages: [{ role: "assistant", content: [{ type: "document", source: { type: "file", file_id: "f" } }] }] }, "messages.0.content.0.source: "], // prettier-ignore
    ["a file in an unknown block", { messages: [{ role: "user", content: [{ type: "hologram", source: { type: "file", file_id: "f" } }] }] }, "messages.0.content.0.source: "], // prettier-ignore
    ["a PDF", { messages: [{ role: "user", content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjc=" } }] }] }, "messages.0.content.0"], // prettier-ignore
    ["a file that is none", { messages: [{ role: "user", content: [{ type: "text", text: "x" }, { type: "image", source: { type: "url", url: `https://hub.test/api/v1/hub/files/nothing` } }] }] }, "messages.0.content.1"], // prettier-ignore
  ])("name the path of %s", async (_case, change, place) => {
    const { status, body, headers } = await sendJson({ ...hello, ...change });
    expect(status).toBe(400);
    expect(body).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining(place) as string },
      request_id: headers.get("request-id"),
    });
  });

  test("are those that the SDK knows", async () => {
    const unknown = await client.messages.create({ ...hello, model: "nobody" }).catch((thrown: unknown) => thrown);
    expect(unknown).toBeInstanceOf(Anthropic.NotFoundError);
    expect(unknown).toMatchObject({ requestID: expect.stringMatching(/^req_/) as string });
    upstream.respondNext(respondWith(408, errorBody("too slow")));
    expect((await sendJson(hello)).body.error.type).toBe("timeout_error");
    const stranger = new Anthropic({ baseURL: url, apiKey: "service_sk_nobody", maxRetries: 0 });
    await expect(stranger.messages.create(hello)).rejects.toThrow(Anthropic.AuthenticationError);
    upstream.respondNext(respondWith(429, errorBody("slow down"), { "retry-after": "7" }));
    await expect(client.messages.create(hello)).rejects.toThrow(Anthropic.RateLimitError);
    const poor = await newCustomer(hub, { credit: 0 });
    const error = await clientOf(host, poor).messages.create(hello).catch((thrown: unknown) => thrown); // prettier-ignore
    expect(error).toMatchObject({ status: 402, type: "billing_error" });
    expect(String(error)).toMatch(/up to [\d.]+ EUR.*https:\/\/hub.test\/balance/);
  });

  test("reject two different keys, and tell SDKs not to repeat a 401", async () => {
    const { status, headers } = await send(hello, { authorization: "Bearer service_sk_other" });
    expect([status, headers.get("x-should-retry")]).toEqual([401, "false"]);
    upstream.respondNext(respondWith(401, errorBody("wrong key")));
    const refused = await send(hello);
    expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([401, "false"]);
    const bearer = new Anthropic({ baseURL: url, authToken: customer.key, apiKey: null, maxRetries: 0 });
    expect((await bearer.messages.create({ ...hello, model: "sandbox-text" })).role).toBe("assistant");
  });

  test("let the SDK's runner of tools go on without a thread", async () => {
    const inputs: unknown[] = [];
    const look = betaTool({
      name: "look",
      description: "Looks out",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      run: (input) => (inputs.push(input), "fog"),
    });
    const message = await client.beta.messages.toolRunner({ ...hello, tools: [look] });
    expect(inputs).toEqual([{ city: "Paris" }]);
    expect(message.content).toMatchObject([{ type: "text", text: "You said: fog" }]);
    expect(sentUpstream().messages).toHaveLength(3);
  });

  test("say by how much a prompt is too long", async () => {
    const long = { ...hello, messages: [{ role: "user", content: "word ".repeat(130_000) }] };
    const first = await sendJson(long);
    expect(first.status).toBe(400);
    expect(first.body.error.message).toMatch(/^prompt is too long: \d+ tokens > 100000 maximum$/);
    upstream.respondNext(respondWith(400, errorBody("This model's maximum context length is 100000 tokens")));
    const second = await sendJson(hello);
    expect(second.body.error.message).toBe("prompt is too long: 100001 tokens > 100000 maximum");
  });

  test.each([false, true])("name max_tokens if the prompt would fit with fewer (stream: %s)", async (stream) => {
    host.setModels(MODEL_YAML.replace("context_length: 100000, max_output_tokens: 1000", "context_length: 32768, max_output_tokens: 32768")); // prettier-ignore
    const words = "This model's maximum context length is 32768 tokens. However, you requested 44000 tokens";
    upstream.respondNext(respondWith(400, errorBody(words)));
    const messages = [{ role: "user", content: "word ".repeat(12_000) }];
    const { status, text } = await send({ ...hello, max_tokens: 32_000, messages, stream });
    const { error } = JSON.parse(text) as { error: { type: string; message: string } };
    expect([status, error.type]).toEqual([400, "invalid_request_error"]);
    expect(error.message).toMatch(
      /^max_tokens: must be at most about \d+: the prompt has about 1\d{4} of the 32768 tokens/,
    );
  });

  test.each([false, true])(
    "say so for a prompt that the sandbox counts as a little too long (stream: %s)",
    async (stream) => {
      const content = "word ".repeat(130_000);
      const body = { ...hello, model: "sandbox-text", messages: [{ role: "user", content }], stream };
      const { status, text } = await send(body);
      expect([status, text]).toEqual([400, expect.stringMatching(/"prompt is too long: \d+ tokens > 128000 maximum"/)]);
    },
  );
});

describe("requests of Claude Code", () => {
  test("pass with unknown members and betas, which a chat does not get", async () => {
    const { status, headers } = await send(
      {
        ...hello,
        safeguards: {},
        "odd member\n": 1,
        context_management: { edits: [{ type: "clear_thinking_20251015" }] },
      },
      { "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14" },
      "/v1/messages?beta=true",
    );
    expect(status).toBe(200);
    expect(headers.get("x-hub-dropped")).toBe("safeguards,context_management.clear_thinking_20251015,other");
    expect(Object.keys(sentUpstream()).sort()).toEqual(["max_tokens", "messages", "model"]);
  });

  test("count tokens 26 at once, without a generation", async () => {
    const content = "The lighthouse keeper climbs the stairs every evening and lights the lamp. ".repeat(40);
    const count = () => client.messages.countTokens({ model: "sandbox-text", messages: [{ role: "user", content }] });
    const counts = await Promise.all(Array.from({ length: 26 }, count));
    const { usage } = await client.messages.create({ model: "sandbox-text", max_tokens: 5, messages: [{ role: "user", content }] }); // prettier-ignore
    for (const { input_tokens } of counts) {
      expect(input_tokens).toBeGreaterThan(usage.input_tokens * 0.9);
      expect(input_tokens).toBeLessThan(usage.input_tokens * 1.1);
    }
    const [row] = await hub.db.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM generation WHERE account_id = $1",
      [customer.account],
    );
    expect(row!.count).toBe(1);
    await expect(client.messages.countTokens({ ...hello, model: "nobody" })).rejects.toThrow(Anthropic.NotFoundError);
  });

  test("count tokens of the sandbox as the usage of the same request has them", async () => {
    const look = {
      name: "get_weather",
      description: "Returns the weather.",
      input_schema: { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] },
      cache_control: { type: "ephemeral" as const },
    };
    const image = { type: "base64" as const, media_type: "image/png" as const, data: "AAAA" };
    const requests: Omit<Anthropic.MessageCountTokensParams, "model">[] = [
      {
        messages: [
          { role: "user", content: "Incomprehensibilities notwithstanding, telecommunications infrastructures." },
        ],
      },
      { messages: [{ role: "user", content: "weather" }], tools: [look], system: [{ type: "text", text: "Be kind." }] },
      {
        messages: [
          { role: "user", content: [{ type: "image", source: image }] },
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "get_weather", input: { city: "Rome" } }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "Sunny, 21 degrees" }] },
        ],
        tools: [look],
        output_config: { format: { type: "json_schema", schema: { type: "object", properties: {} } } },
      },
    ];
    for (const request of requests) {
      const { input_tokens } = await client.messages.countTokens({ ...request, model: "sandbox-text" });
      const { usage } = await client.messages.create({ ...request, model: "sandbox-text", max_tokens: 50 });
      expect(input_tokens).toBe(usage.input_tokens);
    }
    const content = [{ type: "document" as const, source: { type: "text" as const, media_type: "text/plain" as const, data: "word ".repeat(130_000) } }]; // prettier-ignore
    const long = await client.messages.countTokens({ model: "sandbox-text", messages: [{ role: "user", content }] });
    expect(long.input_tokens).toBeGreaterThan(130_000);
  });

  test("list models in pages, in Anthropic's format", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list({ limit: 1 })) {
      expect(model).toMatchObject({ type: "model", display_name: expect.any(String) as string });
      ids.push(model.id);
    }
    expect(ids).toEqual(expect.arrayContaining(["sandbox-text", "talk"]));
    expect(ids).not.toContain("sandbox-image");
    const back = await client.models.list({ limit: 1, before_id: ids[1] });
    expect(back).toMatchObject({ data: [{ id: ids[0] }], has_more: false });
    const unknown = { capabilities: null, line: null, deprecated_at: null, retires_at: null };
    expect(await client.models.retrieve("talk")).toMatchObject({ id: "talk", max_input_tokens: 100_000, lifecycle: "active", ...unknown }); // prettier-ignore
    await expect(client.models.retrieve("sandbox-image")).rejects.toThrow(Anthropic.NotFoundError);
    const headers = { "x-api-key": customer.key };
    expect(await (await fetch(`${url}/v1/models`, { headers })).json()).toMatchObject({ object: "list" });
  });

  test("list only the models of the key, in both formats", async () => {
    const { key } = await createKey(hub, customer.account, { name: "one model", allowed_models: ["talk"] });
    for (const version of [{}, { "anthropic-version": "2023-06-01" }] as Record<string, string>[]) {
      const response = await fetch(`${url}/v1/models`, { headers: { "x-api-key": key, ...version } });
      const { data } = (await response.json()) as { data: { id: string }[] };
      expect(data.map(({ id }) => id)).toEqual(["talk"]);
    }
  });
});
