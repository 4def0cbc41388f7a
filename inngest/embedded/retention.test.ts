import { afterEach, beforeAll, expect, test } from "vitest";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";
import { listJobs } from "./jobs";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

const DAY_MS = 86_400_000;

test("an event id counts again after 24 hours", async () => {
  const ran: number[] = [];
  await bench.serve([bench.one("daily", ({ n }) => ran.push(n))]);
  await bench.send("daily/asked", { n: 1 }, "same");
  await bench.send("daily/asked", { n: 2 }, "same");
  await until(() => ran.length === 1);
  await bench.advance(DAY_MS + 1_000);
  await bench.send("daily/asked", { n: 3 }, "same");
  await until(() => ran.length === 2);
  await bench.settle();
  expect(ran).toEqual([1, 3]);
});

test("what ended long ago is removed, what failed later, and lanes with it", async () => {
  await bench.serve([
    bench.one("old", () => null),
    bench.one("sad", () => Promise.reject(new Error("sad")), { retries: 0 }),
  ]);
  await bench.send("old/asked", {}, "old-1");
  await bench.send("sad/asked", {});
  await bench.settle();
  const kept = async () => (await listJobs(bench.db, { limit: 10 })).map(({ status }) => status).sort();
  expect(await kept()).toEqual(["completed", "completed", "completed", "failed"]);
  await bench.advance(8 * DAY_MS);
  await until(async () => (await kept()).length === 1);
  expect(await kept()).toEqual(["failed"]);
  await bench.advance(23 * DAY_MS);
  await until(async () => (await kept()).length === 0);
  // Lanes go in the round after the last of their runs.
  await bench.advance(60_000);
  const left = async () =>
    bench.db.query<{ id: string }>(
      `SELECT key AS id FROM engine.seen UNION ALL SELECT key FROM engine.lane UNION ALL SELECT step FROM engine.memo`,
    );
  await until(async () => (await left()).length === 0, left);
});
