import { expect, test } from "vitest";
import { parseCron } from "./cron";
import { parseDueTime } from "./due-time";
import { retryTime } from "./interpret-result";

test.each([
  ["* * * * *", "2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"],
  ["* * * * *", "2026-03-01T10:00:59.999Z", "2026-03-01T10:01:00Z"],
  ["*/15 * * * *", "2026-03-01T10:46:00Z", "2026-03-01T11:00:00Z"],
  ["5,35 9-17/4 * * *", "2026-03-01T09:35:00Z", "2026-03-01T13:05:00Z"],
  ["10/20 * * * *", "2026-03-01T10:31:00Z", "2026-03-01T10:50:00Z"],
  ["0 0 31 * *", "2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z"],
  ["0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["0 0 * * 7", "2026-03-02T00:00:00Z", "2026-03-08T00:00:00Z"],
  ["0 0 13 * 5", "2026-03-07T00:00:00Z", "2026-03-13T00:00:00Z"],
  ["0 0 14 * 1", "2026-03-10T00:00:00Z", "2026-03-14T00:00:00Z"],
])("%s after %s is %s", (expression, after, expected) => {
  expect(parseCron(expression)(new Date(after))).toEqual(new Date(expected));
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
])("rejects `%s`", (expression) => {
  expect(() => parseCron(expression)).toThrow();
});

test("a day that does not exist is rejected as never due", () => {
  expect(() => parseCron("0 0 30 2 *")(new Date())).toThrow("never due");
});

const now = new Date("2026-03-01T10:00:00Z");
const after = (date: Date) => (date.getTime() - now.getTime()) / 1000;

test("durations and dates of the SDK are parsed", () => {
  expect(after(parseDueTime("1w2d3h4m5s", now))).toBe(((9 * 24 + 3) * 60 + 4) * 60 + 5);
  expect(after(parseDueTime("", now))).toBe(0);
  expect(after(parseDueTime("2026-03-01T10:00:07.000Z", now))).toBe(7);
  expect(() => parseDueTime("soon", now)).toThrow("neither");
  expect(() => parseDueTime("53w", now)).toThrow("366 days");
});

test("retries wait 1, 2, 4, … seconds plus up to a fifth, ten minutes at most, or as long as the attempt asked", () => {
  for (const [attempt, seconds] of [1, 2, 4, 8].entries()) {
    expect(after(retryTime(attempt, null, now))).toBeGreaterThanOrEqual(seconds);
    expect(after(retryTime(attempt, null, now))).toBeLessThanOrEqual(seconds * 1.2);
  }
  expect(after(retryTime(60, null, now))).toBeLessThanOrEqual(720);
  expect(after(retryTime(0, "30", now))).toBe(30);
  expect(after(retryTime(0, "2026-03-01T10:01:00Z", now))).toBe(60);
  expect(after(retryTime(0, "2020-01-01T00:00:00Z", now))).toBe(0);
});
