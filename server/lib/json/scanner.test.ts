import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../../../test/soak";
import { type JsonBounds, JsonScanner } from "./scanner";

/** Measures the parsed value, as a reference for the scanner. */
function measureValue(value: unknown): { depth: number; values: number; nameBytes: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1, nameBytes: 0 };
  const inner = Object.values(value).map(measureValue);
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    nameBytes: inner.reduce(
      (sum, { nameBytes }) => sum + nameBytes,
      names.reduce((sum, name) => sum + Buffer.byteLength(JSON.stringify(name)), 0),
    ),
  };
}

function scan(text: string, bounds: JsonBounds, chunkBytes = Infinity) {
  const scanner = new JsonScanner(bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const broken = scanner.push(bytes.subarray(at, Math.min(bytes.length, at + chunkBytes)));
    if (broken) return broken;
  }
  return null;
}

const texts = fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\\"[\]{},:\s]{0,12}$/));
const json = fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }).chain((value) =>
  fc.record({
    text: fc.constantFrom(0, 2).map((indent) => JSON.stringify([value, {}, []], null, indent)),
    key: texts,
  }),
);

test("measures the same as the parsed value, however the bytes are split", () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 9 }), ({ text, key }, chunkBytes) => {
      const whole = JSON.stringify({ [`k${key}`]: key, rest: 0 }).replace(/0}$/, `${text}}`);
      const { depth, values, nameBytes } = measureValue(JSON.parse(whole));
      const bounds = { maxDepth: depth, maxValues: values, maxNameBytes: nameBytes };
      expect(scan(whole, bounds, chunkBytes)).toBeNull();
      expect(scan(whole, { ...bounds, maxNameBytes: nameBytes - 1 }, chunkBytes)).toBe("maxNameBytes");
      expect(scan(whole, { maxDepth: depth - 1, maxValues: values }, chunkBytes)).toBe("maxDepth");
      expect(scan(whole, { maxDepth: depth, maxValues: values - 1 }, chunkBytes)).toBe("maxValues");
    }),
    { seed, numRuns: 500 },
  );
});

test.each([
  ["an array that never ends", "[0,".repeat(1_000), "maxDepth"],
  ["a wide array", `[${"0,".repeat(5_000)}0]`, "maxValues"],
  ["small objects", `[${"{},".repeat(5_000)}0]`, "maxValues"],
  ["members of one name", `{${'"a":0,'.repeat(5_000)}"a":0}`, "maxValues"],
  ["brackets in a text", JSON.stringify("[".repeat(1_000)), null],
  ["quotes in a text", JSON.stringify('",'.repeat(5_000)), null],
  ["backslashes in a text", JSON.stringify("\\".repeat(999)), null],
])("%s", (_name, text, broken) => {
  const bounds = { maxDepth: 64, maxValues: 1_000 };
  expect(scan(text, bounds)).toBe(broken);
  expect(scan(text, bounds, 7)).toBe(broken);
});
