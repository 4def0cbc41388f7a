import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes";

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
