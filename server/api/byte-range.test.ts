import { expect, test } from "vitest";
import { parseByteRange } from "./byte-range";

test.each([
  [null, null],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=2-5", { start: 2, end: 5 }],
  ["bytes=5-", { start: 5, end: 9 }],
  ["bytes=5-99", { start: 5, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=-30", { start: 0, end: 9 }],
  ["BYTES=1-2", { start: 1, end: 2 }],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=99999999999999999999-", "unsatisfiable"],
  ["bytes=5-2", null],
  ["bytes=-", null],
  ["bytes=0-1,3-4", null],
  ["lines=0-1", null],
  ["bytes=a-b", null],
])("%s of ten bytes is %o", (header, range) => {
  expect(parseByteRange(header, 10)).toEqual(range);
});

test("an empty file has no range", () => {
  expect(parseByteRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(parseByteRange("bytes=-1", 0)).toBe("unsatisfiable");
});
