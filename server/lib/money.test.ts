import fc from "fast-check";
import { expect, test } from "vitest";
import { soakCount } from "../../test/soak";
import { parseDecimal, toEuros } from "./money";

/** Reads a number by the digits that it prints with. */
const parsePrinted = (value: number) => parseDecimal(/e/.test(String(value)) ? value.toFixed(9) : String(value));
/** Returns the amount, or that the text was rejected. */
const attempt = (parse: () => bigint) => {
  try {
    return parse();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return "rejected";
  }
};

const numRuns = soakCount(3_000, 1_000_000);
const decimals = fc.tuple(fc.integer({ min: -(2 ** 53) + 1, max: 2 ** 53 - 1 }), fc.integer({ min: 0, max: 12 }));

test("a number is as much as the digits that it prints with", () => {
  const readsAsPrinted = (value: number) => {
    expect(attempt(() => parseDecimal(value))).toBe(attempt(() => parsePrinted(value)));
  };
  for (const value of [0, -0, 0.1, 0.15, -0.3, 1e-9, 1.5e-9, 4e-10, 1e-7, 999_999.999999999, 1_000_000.000000001])
    readsAsPrinted(value);
  for (const value of [1e12, 1e15, 1e21, Number.MAX_VALUE, NaN, Infinity, -Infinity]) readsAsPrinted(value);
  const neighbours = decimals.map(([digits, places]) => digits / 10 ** places);
  fc.assert(fc.property(neighbours, readsAsPrinted), { numRuns });
  fc.assert(fc.property(fc.double(), readsAsPrinted), { numRuns });
});

test("an amount below a million EUR is the same after it was a number", () => {
  const nanos = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  const keepsAmount = (nano: bigint) => {
    expect(parseDecimal(toEuros(nano))).toBe(nano);
  };
  fc.assert(fc.property(nanos, keepsAmount), { numRuns });
});
