import { expect, test } from "vitest";
import { formatDuration } from "./format-duration";

test.each([
  [-5, "0 ms"],
  [819.6, "820 ms"],
  [1_000, "1.0 s"],
  [59_949, "59.9 s"],
  [59_950, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [3_599_600, "1 h 0 min"],
  [3_780_000, "1 h 3 min"],
])("%d ms is %s", (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
