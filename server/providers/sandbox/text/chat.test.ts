import fc from "fast-check";
import { countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../../test/longest-turn";
import { seed, soakCount } from "../../../../test/soak";
import type { Route } from "../../../catalogue/model";
import { createJsonCodec } from "../../../lib/json/codec";
import type { Completion } from "../../chat-call";
import { answerChat, countChat } from "./chat";
import { sampleValue } from "./sample";
import { countTokens } from "./tokens";

const MAX_TURN_MS = 250;
const route = {} as Route;
const user = (content: unknown) => [{ role: "user", content }];
const complete = (body: Record<string, unknown>, signal = new AbortController().signal) =>
  answerChat(
    { id: "x", dialect: "chat", body, route, isLarge: false, json: createJsonCodec(), reserve: () => true },
    signal,
  );
async function answer(body: Record<string, unknown>) {
  const state = await complete(body);
  if (state.state !== "succeeded") throw new Error(state.error.message);
  return state.completion as Completion & { usage: Record<string, number> };
}
const textOf = ({ choices }: Completion) => choices[0]!.message.content as string;

test.each([
  ["letters", "a"],
  ["emoji", "😀"],
  ["letters and digits in turn", "a1"],
  ["spaces", " "],
])("rejects a prompt of megabytes of %s", async (_name, text) => {
  const state = await complete({ messages: user(text.repeat(4_000_000 / text.length)) });
  expect(state).toMatchObject({ state: "failed", upstreamStatus: 400 });
});

test("the same chat has the same reply, which quotes the last message", async () => {
  const body = { messages: [{ role: "system", content: "Be brief." }, ...user("Hello there")] };
  const first = await answer(body);
  expect(await answer(body)).toEqual(first);
  expect(textOf(first)).toMatch(/^You say: Hello there This is the sandbox/);
  expect(first.choices[0]!.finish_reason).toBe("stop");
});

test("counts tokens as OpenAI does", async () => {
  const body = {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", name: "Ann", content: "Hi <|endoftext|>" },
    ],
  };
  const completion = await answer(body);
  const words = ["system", "Be brief.", "user", "Hi <|endoftext|>", "Ann"];
  const prompt = words.reduce((sum, text) => sum + reference(text, { disallowedSpecial: new Set() }), 3 + 2 * 3 + 1);
  expect(completion.usage).toEqual({
    prompt_tokens: prompt,
    completion_tokens: reference(textOf(completion), { disallowedSpecial: new Set() }),
    total_tokens: prompt + completion.usage.completion_tokens!,
  });
});

// The same as `unit: "binary"`, which takes seconds because it lists all characters first.
const character = fc
  .integer({ max: 0x10ffff, min: 0 })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

test("counting in slices gives the same number", async () => {
  const text = fc.array(
    fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.string({ unit: character }),
      fc.constantFrom("\n\n  ", "你好，世界。", "    x"),
    ),
    { maxLength: 200 },
  );
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const whole = parts.join(" ");
      expect(await countTokens(whole)).toBe(reference(whole, { disallowedSpecial: new Set() }));
    }),
    { seed, numRuns: soakCount(50, 1_000) },
  );
  const long = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(2_000);
  expect(await countTokens(long)).toBe(reference(long));
});

test("a megabyte without a space does not block the event loop", async () => {
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, async () => {
    expect(await countTokens("a".repeat(1_000_000))).toBe(125_000);
    expect(await countTokens("ab".repeat(1_000_000), 1_000)).toBeNull();
  });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

test.each<[string, number | null, Record<string, unknown>]>([
  ["many short messages", 60_003, { messages: Array.from({ length: 12_000 }, () => user("hi")[0]) }],
  ["a tool of megabytes", null, { messages: user("hi"), tools: [{ function: { name: "a", parameters: { description: "word \n".repeat(5_000_000) } } }] }], // prettier-ignore
  ["a call of megabytes", null, { messages: [{ role: "assistant", tool_calls: [{ arguments: 'word "'.repeat(5_000_000) }] }] }], // prettier-ignore
])("counts %s without blocking the event loop", async (_name, tokens, body) => {
  await countTokens("The vocabulary is loaded.");
  const longestMs = await measureLongestTurnAgain(50, async () => {
    const call = { dialect: "chat", body, route, isLarge: false, json: createJsonCodec() } as const;
    expect(await countChat(call)).toBe(tokens);
  });
  expect(longestMs).toBeLessThan(50);
});

test("a prompt beyond the context length is rejected as upstream would", async () => {
  expect(await complete({ messages: user("word ".repeat(130_000)) })).toMatchObject({
    state: "failed",
    upstreamStatus: 400,
  });
});

test("the reply stops at max_tokens", async () => {
  const completion = await answer({ messages: user("Tell me everything"), max_tokens: 4 });
  expect(completion.usage.completion_tokens).toBe(4);
  expect(reference(textOf(completion))).toBe(4);
  expect(completion.choices[0]!.finish_reason).toBe("length");
});

const weather = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, unit: { enum: ["c", "f"] } },
      required: ["city"],
    },
  },
};
const clock = { type: "function", function: { name: "tell_time", parameters: { type: "object" } } };
const tools = [clock, weather];

test.each<[string, Record<string, unknown>, string | null]>([
  ["that the words speak of", { messages: user("How is the weather?"), tools }, "get_weather"],
  [
    "that is named by tool_choice",
    { messages: user("x"), tools, tool_choice: { type: "function", function: { name: "get_weather" } } },
    "get_weather",
  ],
  ["whichever, when one is required", { messages: user("x"), tools, tool_choice: "required" }, "tell_time"],
  ["that fits, when one is required", { messages: user("weather"), tools, tool_choice: "required" }, "get_weather"],
  ["not when none is spoken of", { messages: user("Hello"), tools }, null],
  ["not when it must not", { messages: user("weather"), tools, tool_choice: "none" }, null],
  [
    "not when it has answered",
    { messages: [...user("weather"), { role: "tool", tool_call_id: "c", content: "21°" }], tools },
    null,
  ],
])("calls a tool %s", async (_case, body, name) => {
  const completion = await answer(body);
  const [choice] = completion.choices;
  const calls = choice!.message.tool_calls as
    | { id: string; function: { name: string; arguments: string } }[]
    | undefined;
  expect(calls?.[0]?.function.name ?? null).toBe(name);
  expect(choice!.finish_reason).toBe(name ? "tool_calls" : "stop");
  if (name === "get_weather") expect(JSON.parse(calls![0]!.function.arguments)).toEqual({ city: "sandbox", unit: "c" });
  if (name) expect(choice!.message.content).toBeNull();
});

test("quotes a tool's response", async () => {
  const messages = [
    ...user("weather"),
    { role: "assistant", content: null, tool_calls: [] },
    { role: "tool", tool_call_id: "c", content: "21 degrees" },
  ];
  expect(textOf(await answer({ messages, tools }))).toContain("21 degrees");
});

test("response_format produces JSON", async () => {
  const object = await answer({ messages: user("x"), response_format: { type: "json_object" } });
  expect(JSON.parse(textOf(object))).toEqual({ answer: expect.any(String) as string });
  const schema = { type: "object", properties: { n: { type: "integer", minimum: 5 } }, required: ["n"] };
  const shaped = await answer({
    messages: user("x"),
    response_format: { type: "json_schema", json_schema: { name: "s", schema } },
  });
  expect(JSON.parse(textOf(shaped))).toEqual({ n: 5 });
});

test.each<Record<string, unknown>>([
  { type: "string", minLength: 12 },
  { type: "string", maxLength: 3 },
  { type: ["null", "string"], enum: ["a", null] },
  { type: "number", exclusiveMinimum: 3, multipleOf: 5 },
  { type: "integer", maximum: -2 },
  { type: "array", items: { type: "boolean" }, minItems: 3 },
  { anyOf: [{ type: "null" }, { type: "string" }] },
  { allOf: [{ type: "object" }, { properties: { a: { const: 7 } }, required: ["a"] }] },
  {
    $ref: "#/$defs/tree",
    $defs: { tree: { type: "object", properties: { leaf: { type: "string" } }, required: ["leaf"] } },
  },
  { properties: { list: { items: { properties: { deep: { default: [1] } }, required: ["deep"] }, type: "array" } } },
])("produces a sample that matches %j", (schema) => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  validate(sampleValue(schema));
  expect(validate.errors).toBeNull();
});

test("a recursive schema has a finite sample", () => {
  const endless = { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { a: { $ref: "#/$defs/a" } } } } };
  expect(JSON.stringify(sampleValue(endless)).length).toBeLessThan(500);
});

test("magic words", async () => {
  expect(await complete({ messages: user("[fail]") })).toMatchObject({ state: "failed", error: { retryable: false } });
  const flaky = { messages: user("[flaky] please") };
  expect(await complete(flaky)).toMatchObject({ state: "failed", error: { retryable: true } });
  expect((await complete(flaky)).state).toBe("succeeded");
  expect((await complete(flaky)).state).toBe("failed");

  const began = performance.now();
  expect((await complete({ messages: user("[slow:0.2]") })).state).toBe("succeeded");
  expect(performance.now() - began).toBeGreaterThan(195);

  const controller = new AbortController();
  const hanging = complete({ messages: user("[hang]") }, controller.signal);
  controller.abort(new Error("given up"));
  await expect(hanging).rejects.toThrow("given up");
});

test.each<unknown>([
  7,
  null,
  [],
  [null],
  [{ type: "text" }],
  [{ type: 7 }],
  [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
  [{ type: "image_url", image_url: "https://x.example" }],
])("replies to content %j", async (content) => {
  expect(textOf(await answer({ messages: user(content), tools: "x", response_format: [], tool_choice: {} }))).toContain(
    "sandbox",
  );
});
