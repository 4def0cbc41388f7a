import { expect, test } from "vitest";
import { parseCron } from "./cron";

test.each([
  ["* * * * *", "2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"],
  ["* * * * *", "2026-03-01T10:00:59.999Z", "2026-03-01T10:01:00Z"],
  ["*/15 * * * *", "2026-03-01T10:46:00Z", "2026-03-01T11:00:00Z"],
  ["5,35 9-17/4 * * *", "2026-03-01T09:35:00Z", "2026-03-01T13:05:00Z"],
  ["10-59/20 * * * *", "2026-03-01T10:31:00Z", "2026-03-01T10:50:00Z"],
  ["0 0 31 * *", "2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z"],
  ["0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["0 0 * * 7", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"],
  ["0 0 13 * 5", "2026-03-07T00:00:00Z", "2026-03-13T00:00:00Z"],
  ["0 0 14 * 1", "2026-03-10T00:00:00Z", "2026-03-14T00:00:00Z"],
])("%s after %s is %s", (expression, after, expected) => {
  expect(parseCron(expression).nextTime(new Date(after))).toEqual(new Date(expected));
});

test.each([
  "",
  "* * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "* * * 13 *",
  "* * * * 8",
  "*/0 * * * *",
  "5-1 * * * *",
  "0 * * * * *",
  "TZ=Europe/Berlin 0 0 * * *",
])("rejects `%s`", (expression) => {
  expect(() => parseCron(expression)).toThrow();
});

test("a day that does not exist is rejected as never due", () => {
  expect(() => parseCron("0 0 30 2 *").nextTime(new Date())).toThrow("never due");
});
