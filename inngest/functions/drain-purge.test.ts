import { expect, test } from "vitest";
import { drainPurge } from "./sweep";

/** Returns a purge of `rows` rows whose calls take `ms` on its own clock, with that clock and the number of calls. */
function createPurge(rows: number, ms: number) {
  let [time, left, calls] = [0, rows, 0];
  return {
    purge: (limit: number) => {
      const removed = Math.min(limit, left);
      left -= removed;
      time += ms;
      calls += 1;
      return Promise.resolve(removed);
    },
    clock: () => time,
    countCalls: () => calls,
  };
}

test.each([
  ["nothing is due", 0, 0, 1],
  ["less is due than the limit", 99, 99, 1],
  ["as much is due as the limit", 100, 100, 2],
  ["more is due", 350, 350, 4],
])("a purge is repeated while it finds the limit: %s", async (_name, rows, removed, calls) => {
  const { purge, clock, countCalls } = createPurge(rows, 1);
  expect([await drainPurge(100, purge, clock), countCalls()]).toEqual([removed, calls]);
});

test("a purge is not repeated after five seconds", async () => {
  const { purge, clock, countCalls } = createPurge(1_000_000, 1_000);
  expect([await drainPurge(100, purge, clock), countCalls()]).toEqual([500, 5]);
});
