import { expect, test } from "vitest";
import { AppError } from "../../errors";
import { createJsonCodec } from "../../lib/json/codec";
import { parseJson } from "./json";

const parse = (text: string) => parseJson(createJsonCodec(), new TextEncoder().encode(text));

async function rejection(text: string): Promise<Record<string, string[]>> {
  try {
    await parse(text);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_input") return error.extras.errors!;
    throw error;
  }
  throw new Error("was not rejected");
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test.each([
  ["", "body", /empty/],
  ["{", "body", /not JSON/],
  ["{'a':1}", "body", /not JSON/],
  ['{"a":1}x', "body", /not JSON/],
  ["nul", "body", /not JSON/],
  ['{"a":NaN}', "body", /not JSON/],
  ['{"a":"\u0000"}', "body", /not JSON/],
  ['{"a":"\\u0000"}', "a", /u0000/],
  ['{"a":["x","\\ud800"]}', "a.1", /surrogate/],
  ['{"a":{"\\udfff":1}}', "a", /surrogate/],
  ['{"a":{"b":1e400}}', "a.b", /finite/],
  ['{"a":-1e999}', "a", /finite/],
  ['{"a":[9007199254740993]}', "a.0", /exactly/],
  ['{"a":1e30}', "a", /exactly/],
  ['{"__proto__":{"a":1}}', "__proto__", /not allowed/],
  ['{"a":{"__proto__":1,"__proto__":2}}', "a.__proto__", /not allowed/],
])("rejects %s at %s", async (text, location, message) => {
  expect(await rejection(text)).toEqual({ [location]: [expect.stringMatching(message)] });
});

test("shortens a long name in the location", async () => {
  const [location] = Object.keys(await rejection(`{"${"x".repeat(100_000)}":1e400}`));
  expect(location!.length).toBe(200);
});

test.each([
  '{"a":1}',
  nested(64),
  '{"a":"\\ud83d\\ude00 é"}',
  '{"a":9007199254740991,"b":-0.5,"c":1e-300}',
  "null",
  '"x"',
  "1",
])("accepts %s", async (text) => {
  expect(await parse(text)).toEqual(JSON.parse(text));
});
