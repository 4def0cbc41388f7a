import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurnMeter } from "./admission";

test("measures the turn in which it was called, and forgets it after a shorter one", async () => {
  const measureTurn = createTurnMeter();
  expect(measureTurn()).toBe(0);
  for (const until = performance.now() + 20; performance.now() < until;);
  await nextTurn();
  const longMs = measureTurn();
  expect(longMs).toBeGreaterThanOrEqual(20);
  await nextTurn();
  // A busy machine may make this turn long as well.
  expect(measureTurn()).not.toBe(longMs);
});
