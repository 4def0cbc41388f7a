import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget";

test("limits all owners together and each owner alone, and reuses released bytes", () => {
  const budget = createByteBudget({ maxBytes: 100, maxBytesPerOwner: 60 });
  const [first, second, third] = [budget.open("a"), budget.open("a"), budget.open("b")];
  expect(first.add(50)).toBe(true);
  expect(second.add(11)).toBe(false);
  expect(second.add(10)).toBe(true);
  expect(third.add(41)).toBe(false);
  expect(third.add(40)).toBe(true);
  first.release();
  first.release();
  expect(third.add(20)).toBe(true);
  expect(third.add(1)).toBe(false);
  expect(second.add(30)).toBe(true);
  expect(second.add(1)).toBe(false);
});
