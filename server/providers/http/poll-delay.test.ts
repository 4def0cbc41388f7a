import { expect, test } from "vitest";
import { pollDelaySeconds } from "./poll-delay";

test.each([
  ["a clock that was set back", -3_600, 1],
  ["a new job", 0, 1],
  ["one of four seconds", 4, 2],
  ["one of six seconds", 6, 3],
  ["one of half a minute", 30, 5],
  ["one of a minute", 60, 5],
  ["one of two minutes", 120, 10],
  ["one of an hour", 3_600, 15],
])("%s is polled again in due time", (_, age, seconds) => {
  const openedAt = new Date(0);
  expect(pollDelaySeconds({ openedAt }, { now: () => new Date(age * 1000) })).toBe(seconds);
});

test("delays grow by half, so that a job of a minute is polled about twenty times", () => {
  let age = 0;
  const delays: number[] = [];
  while (age < 60) {
    const delay = pollDelaySeconds({ openedAt: new Date(0) }, { now: () => new Date(age * 1000) });
    delays.push(delay);
    age += delay;
  }
  expect(delays.slice(0, 7)).toEqual([1, 1, 1, 1.5, 2.25, 3.375, 5]);
  expect(delays.length).toBeLessThan(20);
});
