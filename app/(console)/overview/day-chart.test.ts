import { expect, test } from "vitest";
import { axisTop } from "./day-chart";

test.each([
  [0, 1],
  [0.0092, 0.01],
  [0.011, 0.02],
  [0.03, 0.04],
  [4, 4],
  [4.1, 10],
  [100, 100],
  [1_999.99, 2_000],
])("an axis for %d ends at %d", (max, top) => {
  expect(axisTop(max)).toBe(top);
});
