import { expect, test, vi } from "vitest";
import { startStopwatch } from "./stopwatch";

test("counts all the time in which the process waits", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  try {
    const stopwatch = startStopwatch();
    vi.advanceTimersByTime(12_345);
    expect(stopwatch.stop()).toBe(12_345);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("counts half a second of a time in which the process does nothing", () => {
  const stopwatch = startStopwatch();
  for (const end = performance.now() + 1_000; performance.now() < end;);
  expect(stopwatch.stop()).toBe(500);
});
