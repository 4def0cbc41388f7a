import { expect, test } from "vitest";
import { createEventReader } from "./read-stream";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
import { runAtOnce, runInSlices } from "../../lib/slices";
import { toMessages } from "./to-messages";

const translate = (chat: Record<string, unknown>) => runAtOnce(toMessages(chat));

const hello = { role: "user", content: "hello" };

test("instructions at the beginning are the system, later ones are marked", () => {
  const { system, messages } = translate({
    messages: [
      { role: "system", content: "a" },
      { role: "developer", content: "b" },
      hello,
      { role: "system", content: "c" },
    ],
  });
  expect(system).toEqual([
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
  expect(messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "hello" },
        { type: "text", text: "<system>c</system>" },
      ],
    },
  ]);
});

test.each([
  ["deeply nested", `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
  ["of many values", `{"a":[${"1,".repeat(20_000)}1]}`],
  ["not an object", "[]"],
])("arguments %s are refused with their place", (_name, text) => {
  const call = { id: "1", type: "function", function: { name: "look", arguments: text } };
  expect(() => translate({ messages: [hello, { role: "assistant", tool_calls: [call] }] })).toThrow(
    "messages.1.tool_calls.0.function.arguments: must be a JSON object",
  );
});

test("counts replace those before, and unknown ones are not kept", () => {
  const read = createEventReader(true);
  read({ type: "message_start", message: { usage: { input_tokens: 12, output_tokens: 1, speed: "standard" } } });
  const chunk = read({ type: "message_delta", delta: {}, usage: { input_tokens: null, output_tokens: 20, x1: 1 } });
  expect(chunk!.usage).toEqual({ input_tokens: 12, output_tokens: 20 });
});

test("a tool without parameters has arguments of JSON", () => {
  const read = createEventReader(false);
  const readCall = (event: object) => read(event)!.choices[0]?.delta.tool_calls;
  const start = { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "1", name: "look" } };
  expect(readCall({ ...start, content_block: { ...start.content_block, input: {} } })).toMatchObject([
    { index: 0, id: "1", function: { name: "look", arguments: "" } },
  ]);
  readCall({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "" } });
  expect(readCall({ type: "content_block_stop", index: 0 })).toEqual([{ index: 0, function: { arguments: "{}" } }]);
  expect(readCall({ ...start, index: 1, content_block: { ...start.content_block, input: { at: 1 } } })).toMatchObject([
    { index: 1, function: { arguments: '{"at":1}' } },
  ]);
  expect(readCall({ type: "content_block_stop", index: 1 })).toBeUndefined();
});

test("ids of tools are those that Messages takes", () => {
  const call = { id: "functions.look:0", type: "function", function: { name: "look", arguments: "" } };
  const { messages } = translate({
    messages: [
      hello,
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: call.id, content: "fog" },
    ],
  });
  expect(messages).toMatchObject([
    { role: "user" },
    { content: [{ type: "tool_use", id: "functions_look_0", input: {} }] },
    { content: [{ type: "tool_result", tool_use_id: "functions_look_0" }] },
  ]);
});

test("a model that must call a tool does not think", () => {
  const chat = { messages: [hello], reasoning_effort: "high" };
  expect(translate(chat)).toMatchObject({ thinking: { type: "adaptive" }, output_config: { effort: "high" } });
  const forced = translate({ ...chat, tool_choice: "required" });
  expect(forced).toMatchObject({ output_config: { effort: "high" } });
  expect(forced).not.toHaveProperty("thinking");
});

test("members that ask for nothing are no reason to refuse a chat", () => {
  const chat = { messages: [hello], modalities: ["text"], logit_bias: {}, top_logprobs: 0 };
  expect(Object.keys(translate(chat))).toEqual(["max_tokens", "messages"]);
  for (const name of ["web_search_options", "context_management"])
    expect(() => translate({ ...chat, [name]: {} })).toThrow(`${name}: is not supported by this model`);
});

test("large text files are refused, and others do not block", async () => {
  const fileOf = (bytes: number) => ({
    type: "file",
    file: { file_data: `data:text/plain;base64,${Buffer.alloc(bytes, "é").toString("base64")}` },
  });
  const largest = { role: "user", content: Array.from({ length: 4 }, () => fileOf(3_000_000)) };
  const longest = await measureLongestTurnAgain(50, () => runInSlices(toMessages({ messages: [largest] })));
  expect(longest).toBeLessThan(50);
  expect(() => translate({ messages: [{ role: "user", content: [fileOf(4_000_000)] }] })).toThrow(
    "messages.0.content.0: text files may have at most 3 MiB",
  );
});
