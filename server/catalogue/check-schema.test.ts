import { expect, test } from "vitest";
import { formatPath } from "./catalogue-error";
import { checkSchema } from "./check-schema";
import type { Schema } from "./subschemas";

const findIssues = (schema: Schema) =>
  checkSchema(schema).map(({ path, message }) => `${formatPath(path)}: ${message}`);
const findParameterIssues = (a: unknown) => findIssues({ type: "object", properties: { a } });

test.each<[string, unknown, RegExp]>([
  ["a type that is none", { type: "text" }, /^properties\.a\.type: must be equal to one of/],
  ["a keyword that is none", { type: "string", maxlength: 3 }, /^properties\.a\.maxlength: is not a supported keyword: maxlength/],
  ["a keyword without its type", { maxLength: 3 }, /^properties\.a: missing type "string" for keyword "maxLength"/],
  ["a format that is none", { type: "string", format: "url" }, /^properties\.a: unknown format "url"/],
  ["a negative limit", { type: "string", maxLength: -1 }, /^properties\.a\.maxLength: must be >= 0/],
  ["a reference", { $ref: "#/$defs/x" }, /^properties\.a\.\$ref: references are not supported/],
  ["a reference outside", { $ref: "https://example.com/x" }, /^properties\.a\.\$ref: references are not supported/],
  ["a dynamic reference", { $dynamicRef: "#x" }, /^properties\.a\.\$dynamicRef: references are not supported/],
  ["data", { type: "string", pattern: { $data: "1/b" } }, /^properties\.a\.pattern: must be string/],
  ["patterns of names", { type: "object", patternProperties: {} }, /patternProperties: is not a supported keyword/],
  ["a pattern that is none", { type: "string", pattern: "(" }, /^properties\.a\.pattern: Invalid regular expression/],
  ["a pattern that may hang", { type: "string", pattern: "^(a+)+$" }, /^properties\.a\.pattern: may take too long/],
  ["the same, deep inside", { anyOf: [{ type: "array", items: { type: "string", pattern: "(a*)*" } }] },
    /^properties\.a\.anyOf\[0\]\.items\.pattern: may take too long on 100000 characters/],
  ["a pattern too slow for its length", { type: "string", maxLength: 100_000, pattern: "^a*a*$" }, /set a smaller maxLength/],
  ["a huge list", { type: "array", maxItems: 10_001 }, /^properties\.a\.maxItems: must be at most 10000/],
  ["a huge text", { type: "string", maxLength: 1_000_001 }, /^properties\.a\.maxLength: must be at most 1000000/],
  ["a schema that is none", 7, /^properties\.a: must be a schema/],
  ["a list of schemas for items", { type: "array", items: [{}] }, /^properties\.a\.items: must be a schema/],
  ["an endless limit", { type: "number", maximum: Infinity }, /^properties\.a\.maximum: must be number/],
])("reports %s", (_, schema, message) => {
  const issues = findParameterIssues(schema);
  expect(issues[0]).toMatch(message);
}); // prettier-ignore

test("reports issues of the whole schema", () => {
  expect(findIssues({ type: "array" })).toEqual(["type: must be object"]);
  expect(findIssues({ type: "object", properties: [] })).toEqual(["properties: must be object"]);
  expect(findIssues({ type: "object", properties: JSON.parse('{"__proto__": {}}') as object })).toEqual([
    "properties.__proto__: must start with a letter and contain only letters, digits, _ . and -",
  ]);
  const many = Array.from({ length: 2_001 }, () => ({}));
  expect(findIssues({ type: "object", properties: {}, allOf: many })).toEqual([": contains more than 2000 schemas"]);
});

test("reports all issues at once", () => {
  expect(
    findIssues({
      type: "object",
      properties: { a: { $id: "x" }, b: { type: "string", pattern: "[" } },
      definitions: {},
    }),
  ).toHaveLength(3);
});

test("accepts common schemas", () => {
  expect(
    findIssues({
      type: "object",
      title: "Input",
      required: ["prompt"],
      additionalProperties: false,
      properties: {
        prompt: { type: "string", minLength: 1, maxLength: 4000, description: "What to paint", examples: ["a tree"] },
        seed: { type: ["integer", "null"], minimum: 0, default: null },
        strength: { type: "number", exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 },
        color: { type: "string", pattern: "^#[0-9a-f]{6}$" },
        images: { type: "array", items: { type: "string", format: "uri" }, uniqueItems: true },
        size: { oneOf: [{ enum: ["small", "large"] }, { type: "object", properties: { width: { type: "integer" } } }] },
      },
      if: { required: ["images"] },
      then: { required: ["strength"] },
      not: { required: ["seed", "color"] },
    }),
  ).toEqual([]);
});
