import { expect, test } from "vitest";
import { moveInGrid } from "./generation-grid";

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowRight", 6, null],
  ["ArrowLeft", 3, 2],
  ["ArrowLeft", 0, null],
  ["ArrowDown", 1, 4],
  ["ArrowDown", 4, null],
  ["ArrowUp", 5, 2],
  ["ArrowUp", 2, null],
  ["End", 1, 6],
  ["Home", 0, null],
  ["Enter", 1, null],
])("%s at tile %i of seven in three columns leads to %s", (key, from, to) => {
  expect(moveInGrid(key, from, { count: 7, columns: 3 })).toBe(to);
});
