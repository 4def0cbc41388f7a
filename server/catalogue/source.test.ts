import { expect, test } from "vitest";
import { readSource } from "./source";

const faultOf = (text: string) => {
  try {
    readSource(text, "F");
  } catch (error) {
    return (error as Error).message;
  }
  return "no fault";
};

test.each([
  ["models: [", /^F:1: Flow sequence.* must be/],
  ["models: 1\nmodels: 2\n", /^F:2: Map keys must be unique/],
  ["a: 1\n---\nb: 2\n", /^F:2: Source contains multiple documents/],
  ["a: 1\nb: !!danger 1\n", /^F:2: Unresolved tag/],
  ["a: &a 1\nb: *a\nc: *c\n", /^F:3: there is no &c before it$/],
  ["\tb: 1", /^F:1: Tabs are not allowed/],
])("syntax: %j", (text, fault) => {
  expect(faultOf(text)).toMatch(fault);
});

test("what grows without end is refused at once", () => {
  const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let n = 1; n < 20; n += 1)
    laughs.push(`a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(", ")}]`);
  const started = performance.now();
  expect(faultOf(laughs.join("\n"))).toBe("F: holds more than 500000 values with its aliases written out");
  expect(faultOf("a: &a [*a]")).toBe("F: is nested deeper than 100 levels");
  expect(faultOf(`${"[".repeat(150)}${"]".repeat(150)}`)).toBe("F: is nested deeper than 100 levels");
  expect(faultOf("[".repeat(50_000))).toMatch(/^F:1: /);
  expect(faultOf(`a: &a 1\nb: [${"*a, ".repeat(1_001)}]`)).toBe("F:2: is one of more than 1000 aliases");
  expect(faultOf(`# ${"x".repeat(1_048_576)}`)).toBe("F: is larger than 1048576 characters");
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each(['a: "\\0"', "a: \0", '"\\0": 1', 'a: "\\ud800"'])("%j cannot be stored", (text) => {
  expect(faultOf(text)).toMatch(/^F(:1)?: /);
});

test("a line is that of the value, or of what should have held it", () => {
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
