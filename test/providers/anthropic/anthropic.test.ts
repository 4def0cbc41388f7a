import Anthropic from "@anthropic-ai/sdk";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import { checkRoute } from "../../../server/providers/anthropic/check";
import { runAudit } from "../../../server/domain/audit/audit";
import { createRoutingServices } from "../../../server/domain/routing";
import { parseDecimal } from "../../../server/lib/money";
import { type Customer, newCustomer } from "../../api/customer";
import { catalogueWith } from "../../catalogue";
import { openChatHost } from "../../chat/host";
import { joinText, openStream, parseChunks } from "../../openai/read-stream";
import { type Answer, API_KEY, openDouble, USAGE } from "./double";

const host = await openChatHost();
const { hub, url } = host;
const double = await openDouble();
afterAll(() => double.close());

const catalogue = (
  base: string,
) => `providers: [{ id: claude, kind: anthropic, base_url: "${base}", api_key: "${API_KEY}" }]
models:
  - id: opus
    llm: { input_cost_per_million: 4, output_cost_per_million: 20, cached_input_cost_per_million: 0.2,
      cache_write_cost_per_million: 5, cache_write_long_cost_per_million: 8, context_length: 200000, max_output_tokens: 32000 }
    supports: [vision, tools, structured_output]
    routes: [{ provider: claude, upstream_model: claude-opus-5-5 }]
`;
const offer = (base: string) => {
  const { models } = parseCatalogue(catalogue(base), { file: "test", variables: {} });
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
  hub.services.routeHealth = createRoutingServices(hub).routeHealth;
};
let customer: Customer;
let client: Anthropic;
beforeEach(async () => {
  offer(double.url);
  customer = await newCustomer(hub);
  client = new Anthropic({ baseURL: url, apiKey: customer.key, maxRetries: 0 });
});
afterEach(async () => {
  await expect.poll(() => hub.chats.size).toBe(0);
});
// Once for all tests, because it reads all that they have done.
afterAll(async () => {
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

const chat = async (body: Record<string, unknown>) => {
  const { status, body: answer } = await host.chat(customer.key, { model: "opus", max_tokens: 500, ...body });
  return { status, answer: answer as Record<string, unknown> & { error: { message: string } } };
};
const sent = () => double.received.at(-1)!.body;
const hello = [{ role: "user", content: "hello" }];
/** What USAGE costs at the prices above (dialects, case 18). */
const COST = "0.001148";
const charges = async () =>
  (
    await hub.db.query<{ billed_cost: bigint }>(
      "SELECT billed_cost FROM generation WHERE account_id = $1 ORDER BY id",
      [customer.account],
    )
  ) // prettier-ignore
    .map(({ billed_cost }) => BigInt(billed_cost));

test("the double answers the official SDK, and refuses what Anthropic refuses", async () => {
  const direct = new Anthropic({ baseURL: double.url, apiKey: API_KEY, maxRetries: 0 });
  const request = { model: "claude-opus-5-5", max_tokens: 10, messages: [{ role: "user" as const, content: "hello" }] };
  expect(await direct.messages.create(request)).toMatchObject({
    content: [{ type: "text", text: "Hello there" }],
    usage: USAGE,
  });
  expect((await direct.messages.stream(request).finalMessage()).usage).toMatchObject(USAGE);
  await expect(direct.messages.create({ ...request, messages: [] })).rejects.toThrow("at least one message");
  await expect(
    new Anthropic({ baseURL: double.url, apiKey: "other", maxRetries: 0 }).messages.create(request),
  ).rejects.toMatchObject({ status: 401 });
});

describe("a chat", () => {
  test.each([
    ["with an address as the SDK has it", ""],
    ["with an address that ends with /v1", "/v1"],
  ])("is translated and charged by class, %s", async (_name, suffix) => {
    offer(double.url + suffix);
    const { status, answer } = await chat({
      messages: [{ role: "system", content: "Be brief." }, ...hello],
      stop: "END",
      user: "u1",
    });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      model: "opus",
      choices: [{ message: { role: "assistant", content: "Hello there" }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 1_112,
        completion_tokens: 20,
        prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 100 },
      },
    });
    expect(await charges()).toEqual([parseDecimal(COST)]);
    expect(sent()).toEqual({
      model: "claude-opus-5-5",
      max_tokens: 500,
      system: [{ type: "text", text: "Be brief." }],
      messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
    });
    expect(double.received.at(-1)!.path).toBe("/v1/messages");
  });

  test("streams, with the classes in its usage", async () => {
    const stream = await openStream({
      url,
      key: customer.key,
      body: { model: "opus", max_tokens: 500, messages: hello, stream_options: { include_usage: true } },
    });
    const chunks = parseChunks(await stream.rest());
    expect(joinText(chunks)).toBe("Hello there");
    expect(chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 1_112, completion_tokens: 20 });
    expect(await charges()).toEqual([parseDecimal(COST)]);
  });

  test("calls tools, whose results go back in one turn", async () => {
    const calls = [
      { type: "tool_use", id: "toolu_1", name: "look", input: { at: "a" } },
      { type: "tool_use", id: "toolu_2", name: "look", input: {} },
    ];
    double.answerNext({ content: [{ type: "text", text: "I look." }, ...calls], stop_reason: "tool_use" });
    const tools = [
      { type: "function", function: { name: "look", parameters: { properties: { at: { type: "string" } } } } },
    ];
    const first = await chat({ messages: hello, tools, tool_choice: "required", parallel_tool_calls: false });
    const [choice] = first.answer.choices as [{ message: Record<string, unknown>; finish_reason: string }];
    expect(choice.finish_reason).toBe("tool_calls");
    expect(choice.message.tool_calls).toMatchObject([
      { id: "toolu_1", function: { name: "look", arguments: '{"at":"a"}' } },
      { id: "toolu_2", function: { name: "look", arguments: "{}" } },
    ]);
    expect(sent()).toMatchObject({
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      tools: [{ input_schema: { type: "object" } }],
    });
    const results = ["toolu_1", "toolu_2"].map((id) => ({ role: "tool", tool_call_id: id, content: `saw ${id}` }));
    const second = await chat({
      tools,
      messages: [...hello, choice.message, ...results, { role: "user", content: "and?" }],
    });
    expect(second.status).toBe(200);
    expect(sent().messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text" }, { type: "tool_use", id: "toolu_1" }, { type: "tool_use" }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1" }, { type: "tool_result" }, { text: "and?" }],
      },
    ]);
  });

  test("streams interleaved blocks: thoughts, text and a tool", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "sig" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "toolu_1", name: "look", input: { at: "a" } },
    ];
    double.answerNext({ content, stop_reason: "tool_use" });
    const stream = await openStream({
      url,
      key: customer.key,
      body: { model: "opus", max_tokens: 500, messages: hello, reasoning_effort: "high" },
    });
    const chunks = parseChunks(await stream.rest()) as unknown as { choices: { delta: Record<string, unknown>; finish_reason: string | null }[] }[]; // prettier-ignore
    const deltas = chunks.flatMap(({ choices }) => choices);
    expect(deltas.map(({ delta }) => (delta.reasoning_content as string | undefined) ?? "").join("")).toBe("Hm.");
    const calls = deltas.flatMap(
      ({ delta }) => (delta.tool_calls ?? []) as { index: number; function: { arguments: string } }[],
    );
    expect(calls.map((call) => call.function.arguments).join("")).toBe('{"at":"a"}');
    expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0]));
    expect(deltas.at(-1)!.finish_reason).toBe("tool_calls");
    expect(sent()).toMatchObject({ output_config: { effort: "high" }, thinking: { type: "adaptive" } });
  });

  test("sends pictures, and the marks that the client has set", async () => {
    const content = [
      { type: "text", text: "What is this?", cache_control: { type: "ephemeral" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
    ];
    expect((await chat({ messages: [{ role: "user", content }] })).status).toBe(200);
    expect(sent().messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?", cache_control: { type: "ephemeral" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
        ],
      },
    ]);
  });

  test.each([
    ["several choices", { n: 2 }, "n: is not supported"],
    ["JSON without a schema", { response_format: { type: "json_object" } }, "response_format: must be"],
    ["an unknown part", { messages: [{ role: "user", content: [{ type: "video_url" }] }] }, "messages.0.content.0"],
  ])("with %s is refused with its place, for nothing", async (_name, body, message) => {
    const { status, answer } = await chat({ messages: hello, ...body });
    expect(status).toBe(400);
    expect(answer.error.message).toContain(message);
    expect((await charges()).every((cost) => cost === 0n)).toBe(true);
  });

  test.each([
    [
      400,
      "invalid_request_error",
      "prompt is too long: 300000 tokens > 200000 maximum",
      400,
      "prompt is too long: 300000 tokens > 200000 maximum",
    ],
    [529, "overloaded_error", "Overloaded", 503, "529"],
    [500, "api_error", "boom", 503, "500"],
  ])("passes on status %i, and costs nothing", async (status, type, message, shown, text) => {
    double.answerNext({ content: [], error: { status, type, message } });
    const { status: got, answer } = await chat({ messages: hello });
    expect(got).toBe(shown);
    expect(answer.error.message).toContain(text);
    expect((await charges()).every((cost) => cost === 0n)).toBe(true);
  });

  test("that is cut after its first words is charged by the classes of its beginning", async () => {
    double.answerNext({ content: [{ type: "text", text: "one two three" }], breakAfter: 5 });
    const stream = await openStream({
      url,
      key: customer.key,
      body: { model: "opus", max_tokens: 500, messages: hello },
    });
    const events = await stream.rest();
    expect(events.at(-1)).toContain("error");
    const input = parseDecimal("0.000748");
    const [charged] = await charges();
    expect(charged).toBeGreaterThan(input);
    expect(charged).toBeLessThan(input + 20n * 20_000n);
  });

  test("does not return the key, even if the provider repeats it", async () => {
    double.answerNext({ content: [{ type: "text", text: `Your key is ${API_KEY}` }] });
    const { answer } = await chat({ messages: hello });
    expect(JSON.stringify(answer)).not.toContain(API_KEY);
  });

  test.each([
    ["no usage", undefined],
    ["counts of the wrong kind", { input_tokens: -5, output_tokens: "many", cache_read_input_tokens: Number.NaN }],
    ["a milliard tokens", { input_tokens: 1e12, output_tokens: 1e12 }],
  ])("with %s stays within its hold", async (_name, usage) => {
    double.answerNext({ content: [{ type: "text", text: "Hi" }], usage: usage ?? {} });
    expect((await chat({ messages: hello })).status).toBe(200);
    const [row] = await hub.db.query<{ ok: boolean }>("SELECT billed_cost BETWEEN 1 AND estimated_cost AS ok FROM generation WHERE account_id = $1", [customer.account]); // prettier-ignore
    expect(row!.ok).toBe(true);
  });
});

describe("counted tokens", () => {
  const prompt = {
    model: "opus",
    system: "Be brief.",
    messages: [{ role: "user" as const, content: "hello" }],
    tools: [{ name: "look", input_schema: { type: "object" as const } }],
    thinking: { type: "adaptive" as const },
  };
  const estimate = () => ({
    input_tokens: expect.toSatisfy((tokens: number) => tokens > 10 && tokens < 200) as number,
  });

  test("are those of Anthropic, which gets what its endpoint takes, without a generation", async () => {
    const before = double.received.length;
    const others = { stream: true, max_tokens: 500, metadata: { user_id: "me" } };
    const headers = { "anthropic-beta": "token-counting-2024-11-01,fast-mode-2026-02-01" };
    const counted = await client.messages.countTokens({ ...prompt, ...others }, { headers });
    expect(counted).toEqual({ input_tokens: 4321 });
    expect(double.received).toHaveLength(before + 1);
    const { path, headers: received } = double.received.at(-1)!;
    expect(path).toBe("/v1/messages/count_tokens");
    expect(sent()).toEqual({ ...prompt, model: "claude-opus-5-5" });
    expect(received).toMatchObject({ "x-api-key": API_KEY, "anthropic-beta": "token-counting-2024-11-01" });
    expect(received.authorization).toBeUndefined();
    expect(await charges()).toEqual([]);
  });

  test.each<[string, Answer]>([
    ["an error", { content: [], error: { status: 529, type: "overloaded_error", message: "Overloaded" } }],
    ["no count", { content: [{ type: "message" }] }],
    ["a fraction", { content: [{ input_tokens: 1.5 }] }],
    ["a text", { content: [{ input_tokens: "12" }] }],
    ["too many", { content: [{ input_tokens: 1e12 }] }],
    ["a response that is too large", { content: [{ input_tokens: 12, padding: "x".repeat(100_000) }] }],
  ])("are estimated if Anthropic answers with %s", async (_name, answer) => {
    double.answerNext(answer);
    expect(await client.messages.countTokens(prompt)).toEqual(estimate());
    expect(double.received.at(-1)!.path).toBe("/v1/messages/count_tokens");
  });

  test("are estimated if Anthropic cannot be reached, and for what is rejected or names files, which it does not get", async () => {
    const before = double.received.length;
    const source = { type: "file", file_id: "file_1" } as never;
    const pictures = [{ role: "user" as const, content: [{ type: "image" as const, source }] }];
    expect((await client.messages.countTokens({ ...prompt, messages: pictures })).input_tokens).toBeGreaterThan(1_000);
    const web = { type: "web_search_20250305", name: "web_search" } as const;
    expect(await client.messages.countTokens({ ...prompt, tools: [web] })).toEqual(estimate());
    expect(double.received).toHaveLength(before);
    offer("http://127.0.0.1:9");
    expect(await client.messages.countTokens(prompt)).toEqual(estimate());
  });
});

describe("a request of Messages", () => {
  test("passes through as it is but for model, limit and stream, whole and streamed", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "sig" },
      { type: "text", text: "Hello there" },
    ];
    double.answerNext({ content }, { content });
    const request = {
      model: "opus",
      max_tokens: 500,
      system: [{ type: "text" as const, text: "Be brief.", cache_control: { type: "ephemeral" as const } }],
      messages: [{ role: "user" as const, content: "hello" }],
      thinking: { type: "adaptive", display: "omitted" } as never,
    };
    const whole = await client.messages.create(request, { headers: { "anthropic-beta": "b-2,a-1" } });
    expect(whole.content).toEqual(content);
    expect(sent()).toEqual({ ...request, model: "claude-opus-5-5" });
    expect(double.received.at(-1)!.headers).toMatchObject({ "anthropic-beta": "b-2,a-1", "x-api-key": API_KEY });
    const streamed = await client.messages.stream(request).finalMessage();
    expect(streamed.content).toEqual(content);
    expect(streamed.usage).toMatchObject(USAGE);
    expect(await charges()).toEqual([parseDecimal(COST), parseDecimal(COST)]);
  });

  test.each([
    ["a text", "Tokens left: 1000"],
    ["blocks", [{ type: "text", text: "Tokens left: 1000" }]],
  ])("may end with a system message of %s, which the provider gets with its options", async (_name, content) => {
    const request = {
      max_tokens: 500,
      messages: [...hello, { role: "system", content, output_config: { effort: "low" }, clear_at: "turn" }],
      output_config: { effort: "medium" },
    };
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": customer.key, "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ ...request, model: "opus" }),
    });
    expect(response.status).toBe(200);
    expect(sent()).toEqual({ ...request, model: "claude-opus-5-5" });
  });

  test("keeps the provider's overload as Anthropic says it", async () => {
    double.answerNext({ content: [], error: { status: 529, type: "overloaded_error", message: "Overloaded" } });
    await expect(client.messages.create({ model: "opus", max_tokens: 5, messages: [{ role: "user", content: "hello" }] })).rejects.toMatchObject({ error: { error: { type: "overloaded_error" } } }); // prettier-ignore
  });
});

test("a check asks for the model, free of charge", async () => {
  const check = (base: string, model: string) => {
    const { models } = parseCatalogue(catalogue(base).replace("claude-opus-5-5", model), {
      file: "test",
      variables: {},
    });
    return checkRoute(models[0]!.routes[0]!, {
      fetch: hub.fetch,
      json: hub.json,
      now: hub.now,
      signal: AbortSignal.timeout(5_000),
    } as never);
  };
  expect(await check(double.url, "claude-opus-5-5")).toBeNull();
  expect(await check(`${double.url}/v1`, "claude-other")).toBe('The provider has no model "claude-other".');
});

test("a model of the kind must price writes to a cache", () => {
  const text = catalogue(double.url).replace(
    "cache_write_cost_per_million: 5, cache_write_long_cost_per_million: 8, ",
    "",
  );
  expect(() => parseCatalogue(text, { file: "test", variables: {} })).toThrow("for a provider of kind anthropic");
});
