import { expect, test } from "vitest";
import { readSource } from "./source";

const findIssue = (text: string) => {
  try {
    readSource(text, "F");
  } catch (error) {
    return (error as Error).message;
  }
  return "no issue";
};

test.each([
  ["models: [", /^F:1: Flow sequence.* must be/],
  ["models: 1\nmodels: 2\n", /^F:2: Map keys must be unique/],
  ["a: 1\n---\nb: 2\n", /^F:2: Source contains multiple documents/],
  ["a: 1\nb: !!danger 1\n", /^F:2: Unresolved tag/],
  ["a: &a 1\nb: *a\nc: *c\n", /^F:3: uses the undefined anchor &c$/],
  ["\tb: 1", /^F:1: Tabs are not allowed/],
])("reports a syntax error: %j", (text, message) => {
  expect(findIssue(text)).toMatch(message);
});

test("rejects huge and endless documents quickly", () => {
  const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let n = 1; n < 20; n += 1)
    laughs.push(`a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(", ")}]`);
  const started = performance.now();
  expect(findIssue(laughs.join("\n"))).toBe("F: contains more than 500000 values with aliases expanded");
  expect(findIssue("a: &a [*a]")).toBe("F: is nested deeper than 100 levels");
  expect(findIssue(`${"[".repeat(150)}${"]".repeat(150)}`)).toBe("F: is nested deeper than 100 levels");
  expect(findIssue("[".repeat(50_000))).toMatch(/^F:1: /);
  expect(findIssue(`a: &a 1\nb: [${"*a, ".repeat(1_001)}]`)).toBe("F:2: exceeds the limit of 1000 aliases");
  expect(findIssue(`# ${"x".repeat(1_048_576)}`)).toBe("F: is larger than 1048576 characters");
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each(['a: "\\0"', "a: \0", '"\\0": 1', 'a: "\\ud800"'])("rejects %j, which cannot be stored", (text) => {
  expect(findIssue(text)).toMatch(/^F(:1)?: /);
});

test("returns the line of the value, or of its closest parent", () => {
  const { lineOf } = readSource(
    `a:
  b: &shared
    c: 1
list:
  - x
  - y: *shared
    z: { deep: [1,
      2] }
`,
    "F",
  );
  expect(lineOf([])).toBe(1);
  expect(lineOf(["a", "b", "c"])).toBe(3);
  expect(lineOf(["a", "missing"])).toBe(1);
  expect(lineOf(["list", 0])).toBe(5);
  expect(lineOf(["list", 1, "z", "deep", 1])).toBe(8);
  expect(lineOf(["list", 1, "y", "c"])).toBe(3);
  expect(lineOf(["list", 7])).toBe(4);
  expect(lineOf(["nothing"])).toBe(1);
});
