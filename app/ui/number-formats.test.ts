import { expect, test } from "vitest";
import { formatBytes, formatDuration } from "./number-formats";

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

test.each([
  [0, "0 bytes"],
  [1_023, "1,023 bytes"],
  [1_024, "1 KiB"],
  [1_536, "1.5 KiB"],
  [52_428_800, "50 MiB"],
  [5 * 1024 ** 4, "5,120 GiB"],
])("%d is %s", (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});
