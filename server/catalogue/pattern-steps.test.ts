import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed, soakCount } from "../../test/soak";
import { MAX_PATTERN_STEPS } from "./bounds";
import { countPatternSteps } from "./pattern-steps";

describe("patterns of exponential or unlimited steps have no bound", () => {
  test.each([
    "(a+)+$", "^(a*)*$", "(?:a|aa)+$", "(a|a)*", "^(\\w+\\s?)*$", "(x+x+)+y", "(?<n>a+)+", "(.*)\\1", "(?=a+)a",
    "(?<!a)b", "((a{1,30}){1,30}){1,30}", "(a{1000}){1000}", "(?:(?:a?){30}a{30}){9}", "a)", "[z-",
  ])("%s", (pattern) => {
    expect(countPatternSteps(pattern, 100)).toBeGreaterThan(MAX_PATTERN_STEPS);
  });
}); // prettier-ignore

describe("common patterns are within the limit at the default length", () => {
  test.each([
    "^[a-z0-9-]+$", "^#[0-9a-fA-F]{6}$", "^\\d{3,4}x\\d{3,4}$", "^(?:png|jpe?g|webp)$", "^seed:\\d+$", "^$", "^\\p{L}+$",
    "^[^\\]]*$", "^\\u{1F600}", "^(ab)*$",
  ])("%s", (pattern) => {
    expect(new RegExp(pattern, "u").test("")).toBeTypeOf("boolean");
    expect(countPatternSteps(pattern, 100_000)).toBeLessThanOrEqual(MAX_PATTERN_STEPS);
  });
}); // prettier-ignore

test("each unbounded repetition multiplies the steps by the length", () => {
  expect(countPatternSteps("^a+b+c+$", 64)).toBeLessThanOrEqual(MAX_PATTERN_STEPS);
  expect(countPatternSteps("^a+b+c+$", 4_000)).toBeGreaterThan(MAX_PATTERN_STEPS);
  expect(countPatternSteps("a+", 2_000)).toBeLessThanOrEqual(MAX_PATTERN_STEPS);
  expect(countPatternSteps("a+", 100_000)).toBeGreaterThan(MAX_PATTERN_STEPS);
});

const { pattern: anyPattern } = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", ".", "[ab]", "\\w", "a"),
    tie("pattern").map((inner) => `(?:${inner})`),
  ),
  pattern: fc
    .array(fc.tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "*?", "|")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.flat().join("")),
}));

const context = createContext({});
// A separate context can be stopped; otherwise the test would hang with the expression.
const matches = (pattern: string, text: string) =>
  runInContext(`new RegExp(${JSON.stringify(pattern)}, "u").test(${JSON.stringify(text)})`, context, {
    timeout: 2_000,
  }) as boolean;

test("matches a pattern within the limit quickly against any text", { timeout: 300_000 }, () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyPattern, fc.boolean(), fc.constantFrom("a", "ab", "aab"), (inner, anchored, unit) => {
      const pattern = `${anchored ? "^" : ""}${inner}!$`;
      const length = 1_500;
      if (countPatternSteps(pattern, length) > MAX_PATTERN_STEPS) return;
      accepted += 1;
      const text = unit.repeat(length).slice(0, length);
      matches(pattern, text);
    }),
    { seed, numRuns: soakCount(500, 20_000) },
  );
  expect(accepted).toBeGreaterThan(100);
  expect(() => matches("^(a+)+!$", "a".repeat(100))).toThrow(/timed out/);
});
