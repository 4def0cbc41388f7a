import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import type { Model } from "../../catalogue/model";
import { isAppError } from "../../errors";
import { checkInput } from "./check-input";

const withParameters = (properties: string, more = "") =>
  modelOf(`
  - id: m
    pricing_tiers: [{ match: {}, price_usd: 1 }]
    parameters_schema: { type: object, properties: { ${properties.replaceAll(/\s+/g, " ")} } ${more} }
`);
const image = withParameters(
  `prompt: { type: string, minLength: 1, maxLength: 8 },
   aspect_ratio: { enum: ["1:1", "16:9"] },
   seed: { type: [integer, "null"], minimum: 0, maximum: 9 },
   strength: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 },
   image_input: { type: array, maxItems: 2, uniqueItems: true, items: { type: string, format: uri } },
   color: { type: string, maxLength: 7, pattern: "^#[0-9a-f]{6}$" },
   fixed: { const: 7 },
   when: { type: string, format: date-time },
   day: { type: string, format: date },
   job: { type: string, format: uuid },
   box: { type: object, required: [width], additionalProperties: false, properties: { width: { type: integer } } },
   tags: { type: array, minItems: 1 }`,
  ", required: [prompt]",
);

/** Returns the issues by path; undefined when the input is valid. */
function errorsOf(model: Model, input: Record<string, unknown>) {
  try {
    checkInput(model, input);
  } catch (error) {
    if (!isAppError(error)) throw error;
    expect(error.code).toBe("invalid_input");
    return error.extras.errors;
  }
  return undefined;
}
const sha = `sha256:${"0123456789abcdef".repeat(4)}`;

test.each<Record<string, unknown>>([
  { seed: null, aspect_ratio: "16:9" },
  { seed: 9, strength: 0.3, color: "#00ff00", fixed: 7, box: { width: 1 }, tags: [{}] },
  { image_input: ["https://example.com/a?b=c#d", sha] },
  { image_input: ["HTTP://[2001:db8::1]:8080/"] },
  { when: "2026-02-28T23:59:59.123Z", day: "2024-02-29", job: "019AA535-6c00-7a3e-9b11-5a4f6e0c2d10" },
])("accepts %j", (input) => {
  expect(errorsOf(image, { prompt: "a tree", ...input })).toBeUndefined();
});

test.each<[string, unknown, string, string]>([
  ["prompt", 5, "input.prompt", "must be a string"],
  ["prompt", null, "input.prompt", "must be a string"],
  ["prompt", "", "input.prompt", "must have at least 1 character"],
  ["prompt", "nine chars", "input.prompt", "must have at most 8 characters"],
  ["aspect_ratio", "4:3", "input.aspect_ratio", "must be one of 1:1, 16:9"],
  ["seed", "5", "input.seed", "must be an integer or null"],
  ["seed", 10, "input.seed", "must be at most 9"],
  ["seed", -1, "input.seed", "must be at least 0"],
  ["strength", 1, "input.strength", "must be less than 1"],
  ["strength", 0, "input.strength", "must be more than 0"],
  ["strength", 0.35, "input.strength", "must be a multiple of 0.1"],
  ["image_input", sha, "input.image_input", "must be an array"],
  ["image_input", [sha, sha], "input.image_input", "must not repeat an item"],
  ["image_input", [sha, "https://a", "https://b"], "input.image_input", "must have at most 2 items"],
  ["tags", [], "input.tags", "must have at least 1 item"],
  ["color", "#00FF00", "input.color", "must match the pattern ^#[0-9a-f]{6}$"],
  ["fixed", "7", "input.fixed", "must be 7"],
  ["when", "2026-11-21", "input.when", "must be a time such as 2026-11-21T08:00:00Z"],
  ["day", "2026-02-31", "input.day", "must be a date such as 2026-11-21"],
  ["job", "x", "input.job", "must be a UUID"],
  ["box", {}, "input.box.width", "is required"],
  ["box", { width: 1, "a/b~c": 1 }, "input.box.a/b~c", "there is no such parameter"],
  ["box", { width: 1.5 }, "input.box.width", "must be an integer"],
])("rejects %s: %j", (name, value, path, message) => {
  const errors = errorsOf(image, { prompt: "a tree", [name]: value })!;
  expect(errors).toEqual({ [path]: [message] });
});

test.each([
  "ftp://example.com/a", "file:///etc/passwd", "data:image/png;base64,AA", "//example.com", "https://", "http://[", "a b",
  "https://a b", "javascript:alert(1)", "sha256:00", `sha256:${"G".repeat(64)}`, sha.toUpperCase(), ` ${sha}`, `${sha}\n`, "",
])("rejects the file reference %j", (url) => {
  expect(errorsOf(image, { prompt: "x", image_input: [url] })).toEqual({
    "input.image_input.0": ["must be an http(s) URL, or sha256: and 64 lower-case hexadecimal digits"],
  });
}); // prettier-ignore

test("all issues are returned together, and values are neither completed nor converted", () => {
  const input = { seed: "1", colour: "red", image_input: ["x"] };
  expect(Object.keys(errorsOf(image, input)!).sort()).toEqual([
    "input.colour",
    "input.image_input.0",
    "input.prompt",
    "input.seed",
  ]);
  expect(input).toEqual({ seed: "1", colour: "red", image_input: ["x"] });
});

test("an unknown parameter is rejected unless the schema allows it", () => {
  const closed = withParameters("a: { type: string }");
  const open = withParameters("a: { type: string }", ", additionalProperties: { type: integer }");
  const empty = modelOf("  - { id: m, pricing_tiers: [{ match: {}, price_usd: 1 }] }");
  const message = "there is no such parameter: the model takes a";
  expect(errorsOf(closed, { b: 1 })).toEqual({ "input.b": [message] });
  for (const name of ["__proto__", "constructor", "toString"])
    expect(errorsOf(closed, JSON.parse(`{"${name}":1}`) as never)).toEqual({ [`input.${name}`]: [message] });
  expect(errorsOf(open, { b: 1 })).toBeUndefined();
  expect(errorsOf(open, { b: "1" })).toEqual({ "input.b": ["must be an integer"] });
  expect(errorsOf(empty, { b: 1 })).toEqual({ "input.b": ["there is no such parameter: the model takes none"] });
  expect(errorsOf(empty, {})).toBeUndefined();
});

test("inherited properties are not parameters", () => {
  const model = withParameters("constructor: { type: string }", ", required: [constructor]");
  expect(errorsOf(model, {})).toEqual({ "input.constructor": ["is required"] });
});

test("a text model requires messages and allows unknown members", () => {
  const textModel = modelOf(`
  - id: m
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 100 }
    parameters_schema: { type: object, properties: { temperature: { type: number, maximum: 2 } } }
`);
  const messages = [{ role: "user", content: "hello" }];
  expect(errorsOf(textModel, { messages, temperature: 1, top_p: 0.5 })).toBeUndefined();
  expect(errorsOf(textModel, {})).toEqual({ "input.messages": ["is required"] });
  expect(errorsOf(textModel, { messages: [{}], max_tokens: 0, temperature: 3 })).toEqual({
    "input.messages.0.role": ["is required"],
    "input.max_tokens": ["must be at least 1"],
    "input.temperature": ["must be at most 2"],
  });
});

test("malicious inputs are rejected quickly with a short response", () => {
  const model = withParameters(
    `text: { type: string, maxLength: 1000, pattern: "[a-z]+[0-9]$" },
     free: { type: string },
     list: { type: array, uniqueItems: true },
     any: {}`,
  );
  const started = performance.now();
  expect(errorsOf(model, { text: "a".repeat(100_000) })).toEqual({
    "input.text": ["must have at most 1000 characters"],
  });
  expect(errorsOf(model, { text: "a".repeat(1_000) })).toEqual({ "input.text": [expect.stringContaining("pattern")] });
  expect(errorsOf(model, { free: "a".repeat(100_001) })).toEqual({
    "input.free": ["must have at most 100000 characters"],
  });
  const items = Array.from({ length: 40_000 }, (_, n) => ({ n }));
  expect(errorsOf(model, { list: items.slice(0, 20_000) })).toMatchObject({
    "input.list": ["must have at most 1000 items"],
  });
  const unknownMembers = Object.fromEntries(items.map(({ n }) => ["x".repeat(300) + n, n]));
  const errors = errorsOf(model, unknownMembers)!;
  expect(Object.keys(errors)).not.toHaveLength(0);
  expect(JSON.stringify(errors).length).toBeLessThan(20_000);
  expect(performance.now() - started).toBeLessThan(5_000);
});
