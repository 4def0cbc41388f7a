import fc from "fast-check";
import { expect, test } from "vitest";
import { seed, soakCount } from "../../../test/soak";
import { toEuros } from "../../lib/money";
import { computeCost } from "./cost";
import type { Price } from "./price";

const runs = { seed, numRuns: soakCount(500, 20_000) };
const nano = (max: bigint) => fc.bigInt({ min: 0n, max });
const PRICE = 1_000n * 10n ** 9n;
const gpu = (price: bigint): Price => ({ by: "gpu-second", price_per_second: toEuros(price), most_seconds: 10 });
const chat = (input: bigint, output: bigint): Price => ({
  by: "token",
  input_per_million: toEuros(input),
  output_per_million: toEuros(output),
  most_input_tokens: 10,
  most_output_tokens: 10,
});

test("bills an image its estimate", () => {
  expect(computeCost({ by: "tier", match: {}, price_usd: 0.01, eur_per_usd: 0.92 }, 9_200_000n, {})).toBe(9_200_000n);
});

test("bills tokens × prices, exactly, rounded up once for both kinds together", () => {
  expect(computeCost(chat(1n, 1n), 0n, { tokens: { input: 1, output: 1 } })).toBe(1n);
  const tokens = fc.integer({ min: 0, max: 1_000_000_000 });
  fc.assert(
    fc.property(nano(PRICE), nano(PRICE), tokens, tokens, (priceIn, priceOut, input, output) => {
      const got = computeCost(chat(priceIn, priceOut), 0n, { tokens: { input, output } });
      const exact = priceIn * BigInt(input) + priceOut * BigInt(output);
      expect(got * 1_000_000n - exact).toBeGreaterThanOrEqual(0n);
      expect(got * 1_000_000n - exact).toBeLessThan(1_000_000n);
      expect(got).toBeLessThan(2n ** 63n);
    }),
    runs,
  );
});

test("bills the estimate if usage is missing or implausible", () => {
  const implausible = fc.oneof(
    fc.integer({ max: -1 }),
    fc.integer({ min: 1_000_000_001 }),
    fc.constantFrom(NaN, Infinity, -Infinity, 1.5, 1e300, "7", null, undefined),
  );
  fc.assert(
    fc.property(implausible, nano(PRICE), (value, estimated) => {
      const wrongUsage = value as number;
      expect(computeCost(chat(5n, 5n), estimated, { tokens: { input: wrongUsage, output: 1 } })).toBe(estimated);
      expect(computeCost(chat(5n, 5n), estimated, { tokens: { input: 1, output: wrongUsage } })).toBe(estimated);
    }),
    runs,
  );
  expect(computeCost(gpu(5n), 3n, {})).toBe(3n);
  expect(computeCost(gpu(5n), 3n, { tokens: { input: 1, output: 1 } })).toBe(3n);
});
