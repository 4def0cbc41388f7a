import { expect, test } from "vitest";
import { toEuros } from "@/server/lib/money";
import { createRandom } from "../../test/random";
import { seed, soakCount } from "../../test/soak";
import { addVat, addVatToCents } from "./gross";

test.each([
  [0, "19", 0],
  [1, "19", 1.19],
  [0.0092, "19", 0.010948],
  [0.000000001, "19", 0.000000002],
  [0.1 + 0.2, "10", 0.33],
  [0.00000001, "8.1", 0.000000011],
  [12.5, "0.01", 12.50125],
  [8_000_000, "99.99", 15_999_200],
])("%d with %s %% is %d", (net, vat, gross) => {
  expect(addVat(net, vat)).toBe(gross);
});

test.each([
  [2_500, "19", 2_975],
  [1, "19", 1],
  [3, "19", 4],
  [50, "19", 60],
  [500, "8.1", 541],
  [1_000_000, "25.5", 1_255_000],
])("%d cents with %s %% are %d cents", (net, vat, gross) => {
  expect(addVatToCents(net, vat)).toBe(gross);
});

test("both are exact for any amount and rate", () => {
  const random = createRandom(seed);
  for (let round = 0; round < soakCount(500, 200_000); round += 1) {
    const percent = 1 + Math.floor(random() * 9_999);
    const vat = String(percent / 100);
    const nano = BigInt(Math.floor(random() * 4e15));
    const exact = nano * BigInt(10_000 + percent);
    expect(addVat(toEuros(nano), vat)).toBe(toEuros((exact + 9_999n) / 10_000n));
    const cents = Math.floor(random() * 1e6);
    const scaled = cents * (10_000 + percent);
    expect(addVatToCents(cents, vat)).toBe(Math.floor((2 * scaled + 10_000) / 20_000));
  }
});
