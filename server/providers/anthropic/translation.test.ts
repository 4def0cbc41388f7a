import { expect, test } from "vitest";
import { createEventReader } from "./read-stream";
import { toMessages } from "./to-messages";

const hello = { role: "user", content: "hello" };

test("instructions at the beginning are the system, later ones are marked", () => {
  const { system, messages } = toMessages({
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
  expect(() => toMessages({ messages: [hello, { role: "assistant", tool_calls: [call] }] })).toThrow(
    "messages.1.tool_calls.0.function.arguments: must be a JSON object",
  );
});

test("counts replace those before, and unknown ones are not kept", () => {
  const read = createEventReader();
  read({ type: "message_start", message: { usage: { input_tokens: 12, output_tokens: 1, speed: "standard" } } });
  const chunk = read({ type: "message_delta", delta: {}, usage: { input_tokens: null, output_tokens: 20, x1: 1 } });
  expect(chunk!.usage).toEqual({ input_tokens: 12, output_tokens: 20 });
});
