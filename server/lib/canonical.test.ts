import fc from "fast-check";
import stringify from "safe-stable-stringify";
import { expect, test } from "vitest";
import { seed } from "../../test/soak";
import { stringifyCanonical } from "./canonical";

test("writes the same text as the library by which stored fingerprints were made", () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" });
  fc.assert(
    fc.property(json, (value) => {
      expect(stringifyCanonical(value)).toBe(stringify(value));
    }),
    { seed, numRuns: 1_000 },
  );
});

test.each([
  [{ 10: 1, 9: 2, a: undefined, é: null, "": [undefined, -0, 1e21] }],
  [[[], {}, [[]], { b: { d: 1, c: 2 }, a: "\ud800" }]],
])("writes %j as the library does", (value) => expect(stringifyCanonical(value)).toBe(stringify(value)));
