import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurnMeter } from "./admission";

test("measures the turn in which it was called, and forgets it after a shorter one", async () => {
  const measureTurn = createTurnMeter();
  expect(measureTurn()).toBe(0);
  for (const until = performance.now() + 20; performance.now() < until;);
  await nextTurn();
  expect(measureTurn()).toBeGreaterThanOrEqual(20);
  await nextTurn();
  expect(measureTurn()).toBeLessThan(20);
});
