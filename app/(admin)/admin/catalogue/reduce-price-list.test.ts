import { expect, test } from "vitest";
import { reducePriceList } from "./reduce-price-list";

const list = {
  "gpt-6.1-sol": { input_cost_per_token: 1 },
  "xai/grok": {},
  openai: { models: { sol: { cost: { input: 1 } }, luna: {}, other: {} } },
};
const reduce = (text: string, ...paths: string[][]) => JSON.parse(reducePriceList(text, paths)) as unknown;

test("keeps the entries at the paths, of both formats", () => {
  const paths = [["gpt-6.1-sol"], ["openai", "models", "sol"], ["openai", "models", "luna"], ["nobody", "models", "x"]];
  expect(reduce(JSON.stringify(list), ...paths)).toEqual({
    "gpt-6.1-sol": list["gpt-6.1-sol"],
    openai: { models: { sol: list.openai.models.sol, luna: {} } },
  });
});

test("finds no members of the prototype, and keeps those that are called alike", () => {
  const names = [["constructor"], ["__proto__"], ["toString", "models", "__proto__"]];
  expect(reducePriceList("{}", names)).toBe("{}");
  const text = '{"constructor":1,"__proto__":{"a":1},"toString":{"models":{"__proto__":{"b":2}}}}';
  expect(reducePriceList(text, names)).toBe(text);
});

test.each(["null", "[1]", "7"])("has nothing of %s", (text) => {
  expect(reduce(text, ["0"], ["a", "models", "b"])).toEqual(text === "[1]" ? { 0: 1 } : {});
});

test("rejects what is not JSON", () => {
  expect(() => reducePriceList("<html>", [])).toThrow(SyntaxError);
});
