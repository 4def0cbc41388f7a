import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "./parse";

const text = readFileSync("docs/catalogue.md", "utf8");
const parse = (yaml: string) => parseCatalogue(yaml, { file: "docs/catalogue.md", variables: {} });

test("the documented catalogue is valid", () => {
  const [, yaml] = /```yaml\n([^`]*)```/.exec(text)!;
  expect(parse(yaml!).models.map(({ id, routes }) => [id, routes.length])).toEqual([
    ["gpt-4o-mini", 1],
    ["poster", 1],
    ["my-lora-trainer", 1],
  ]);
});

test("supports every documented keyword, and no references", () => {
  const [, line] = /It supports these keywords:\n\n`([^`]*)`/.exec(text)!;
  const documented = new Set(line!.split(" "));
  const taken = (keyword: string) => {
    const model = { id: "m", pricing_tiers: [{ match: {}, price_usd: 1 }], parameters_schema: { [keyword]: null } };
    try {
      parse(JSON.stringify({ models: [model] }));
    } catch (error) {
      return (
        !(error as Error).message.includes("is not a supported keyword") && !/references/.test((error as Error).message)
      );
    }
    return true;
  };
  expect(documented.size).toBeGreaterThan(25);
  expect([...documented].filter((keyword) => !taken(keyword))).toEqual([]);
  const others = ["$ref", "$id", "$schema", "$data", "definitions", "patternProperties", "propertyNames", "contains"];
  expect(others.filter(taken)).toEqual([]);
});
