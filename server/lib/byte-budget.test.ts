import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget";

test("an owner may hold as much as is left for others", () => {
  const budget = createByteBudget(120);
  const [first, second] = [budget.open("a"), budget.open("a")];
  expect(first.add(50)).toBe(true);
  expect(second.add(11)).toBe(false);
  expect(second.add(10)).toBe(true);
  expect(budget.open("b").add(31)).toBe(false);
  expect(budget.open("b").add(30)).toBe(true);
  expect(budget.open("c").add(15)).toBe(true);
  expect(first.add(1)).toBe(false);
});

test("released bytes are free again, once", () => {
  const budget = createByteBudget(120);
  const [first, second] = [budget.open("a"), budget.open("b")];
  expect([first.add(60), second.add(30)]).toEqual([true, true]);
  first.release();
  first.release();
  expect(second.add(31)).toBe(false);
  expect(second.add(30)).toBe(true);
});
