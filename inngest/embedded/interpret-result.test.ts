import { expect, test } from "vitest";
import { parseDueTime, retryTime } from "./interpret-result";

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
