import { expect, test } from "vitest";
import { formatDistance } from "./values";

const HOUR = 3_600_000;
test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [30_000, "in a moment"],
  [-60_000, "1 minute ago"],
  [-59 * 60_000 - 59_999, "59 minutes ago"],
  [-23.9 * HOUR, "23 hours ago"],
  [-24 * HOUR, "yesterday"],
  [24 * HOUR, "tomorrow"],
  [90 * 24 * HOUR, "in 2 months"],
  [-366 * 24 * HOUR, "last year"],
])("%d ms is %s", (ms, words) => {
  expect(formatDistance(ms)).toBe(words);
});
