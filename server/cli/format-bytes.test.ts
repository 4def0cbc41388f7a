import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes";

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1024, "1.0 KiB"],
  [1_610_612_736, "1.5 GiB"],
  [5 * 1024 ** 5, "5120.0 TiB"],
])("%d is %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
