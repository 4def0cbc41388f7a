import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "./parse";
import { ProviderShape } from "./shape";
import { UnitPricing } from "./shape-price";
import { Route } from "./shape-route";
import { TokenPriceList } from "./shape-tokens";

const text = readFileSync("docs/catalogue.md", "utf8");
const parse = (yaml: string) => parseCatalogue(yaml, { file: "docs/catalogue.md", variables: {} });

test("the documented catalogues are valid", () => {
  const examples = [...text.matchAll(/```yaml\n([^`]*)```/g)].map(([, yaml]) => parse(yaml!));
  expect(examples.map(({ models }) => models.map(({ id, routes }) => [id, routes.length]))).toEqual([
    [
      ["mistral-small-4", 2],
      ["poster", 1],
      ["my-lora-trainer", 1],
    ],
    [["seedream", 2]],
    [["gpt-6.1-sol", 1]],
  ]);
});

test("documents every setting of a route, a provider, the prices of tokens and a unit's price", () => {
  const settings = [Route, ProviderShape, TokenPriceList, ...UnitPricing.options].flatMap(({ shape }) =>
    Object.keys(shape),
  );
  const documented = new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  expect(settings.filter((name) => !documented.has(name))).toEqual([]);
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
