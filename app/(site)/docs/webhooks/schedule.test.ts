import { expect, test } from "vitest";
import { formatWait } from "./schedule";

test.each([
  [0, "0 seconds"],
  [1, "1 second"],
  [30, "30 seconds"],
  [3_660, "1 hour 1 minute"],
  [259_200, "72 hours"],
])("formats %d s as %s", (seconds, text) => {
  expect(formatWait(seconds)).toBe(text);
});
