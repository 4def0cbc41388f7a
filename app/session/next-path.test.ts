import { expect, test } from "vitest";
import { nextPath } from "./next-path";

test.each([
  ["/keys", "/keys"],
  ["/generations/1?a=b&c=/d", "/generations/1?a=b&c=/d"],
  [undefined, "/overview"],
  ["", "/overview"],
  ["keys", "/overview"],
  ["//evil.example", "/overview"],
  ["/\\evil.example", "/overview"],
  ["/a\\b", "/overview"],
  ["/\t/evil.example", "/overview"],
  ["/a\n", "/overview"],
  ["https://evil.example", "/overview"],
  ["javascript:alert(1)", "/overview"],
  [["/keys", "//evil.example"], "/keys"],
])("%j leads to %s", (next, path) => {
  expect(nextPath(next)).toBe(path);
});
