import { expect, test } from "vitest";
import { readEnv } from "../../env";
import { type AttemptResult, classifyResponse } from "./classify-response";

const now = new Date("2026-03-01T12:00:00.000Z");
const delays = readEnv({}).WEBHOOK_RETRY_DELAYS_SECONDS;
const result = (status: number | null, retryAfter: string | null = null): AttemptResult => ({
  status,
  retryAfter,
  durationMs: 1,
  response: status === null ? null : "",
  error: status === null ? "No complete response within 15 seconds." : null,
});
const after = (retryAfter: string | null, status = 503, n = 1) => {
  const verdict = classifyResponse(result(status, retryAfter), n, delays, now);
  return verdict.next === "retry" ? verdict.afterSeconds : verdict.next;
};

test("the default schedule has eight attempts with the delays of the specification", () => {
  const waits = Array.from({ length: 8 }, (_, index) => after(null, 500, index + 1));
  expect(waits).toEqual([30, 120, 600, 3_600, 21_600, 86_400, 259_200, "failed"]);
});

test.each([
  [[200, 201, 202, 204, 206, 226, 299], "succeeded"],
  [[300, 301, 302, 303, 304, 307, 308], "failed"],
  [[400, 401, 403, 404, 405, 408, 409, 410, 418, 422, 425, 428, 431, 451, 499], "failed"],
  [[429, 500, 501, 502, 503, 504, 507, 511, 599], "retry"],
  [[null], "retry"],
])("%j: %s", (statuses, next) => {
  for (const status of statuses)
    expect(classifyResponse(result(status), 1, delays, now).next, String(status)).toBe(next);
});

test("Retry-After lengthens a delay up to the longest default, and never shortens it", () => {
  expect(after("31")).toBe(31);
  expect(after("29")).toBe(30);
  expect(after("0")).toBe(30);
  expect(after(" 45 ")).toBe(45);
  expect(after("99999999999999999999")).toBe(259_200);
  expect(after("Sun, 01 Mar 2026 12:02:00 GMT")).toBe(120);
  expect(after("Sunday, 01-Mar-26 12:02:00 GMT")).toBe(120);
  expect(after("Sun, 01 Mar 2020 12:02:00 GMT")).toBe(30);
  for (const nonsense of ["", "-5", "1e9", "0x7f", "soon", "12 months", "Infinity", "Sun, 99 Foo", "1,2"]) {
    expect(after(nonsense), nonsense).toBe(30);
  }
});

test("Retry-After counts only for 429 and 503, and adds no attempt", () => {
  expect(after("45", 429)).toBe(45);
  expect(after("45", 500)).toBe(30);
  expect(after("45", 502)).toBe(30);
  expect(after("45", 503, 8)).toBe("failed");
});

test("the delays can be configured, at most as many as the defaults", () => {
  const read = (value: string) => readEnv({ WEBHOOK_RETRY_DELAYS_SECONDS: value }).WEBHOOK_RETRY_DELAYS_SECONDS;
  expect(read("1, 2,3")).toEqual([1, 2, 3]);
  for (const wrong of ["1,2,3,4,5,6,7,8", "0", "-1", "1.5", "1,,2", "x", "1;2", "259201", "Infinity"]) {
    expect(() => read(wrong), wrong).toThrow(/WEBHOOK_RETRY_DELAYS_SECONDS/);
  }
});
