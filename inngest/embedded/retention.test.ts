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
  await bench.serve([bench.oneStepFunction("daily", ({ n }) => ran.push(n))]);
  await bench.send("daily/asked", { n: 1 }, "same");
  await bench.send("daily/asked", { n: 2 }, "same");
  await until(() => ran.length === 1);
  await bench.advance(DAY_MS + 1_000);
  await bench.send("daily/asked", { n: 3 }, "same");
  await until(() => ran.length === 2);
  await bench.settle();
  expect(ran).toEqual([1, 3]);
});

test("ended runs are deleted after seven days, failed ones after thirty, and concurrency groups with them", async () => {
  await bench.serve([
    bench.oneStepFunction("old", () => null),
    bench.oneStepFunction("broken", () => Promise.reject(new Error("broken")), { retries: 0 }),
  ]);
  await bench.send("old/asked", {}, "old-1");
  await bench.send("broken/asked", {});
  await bench.settle();
  const statuses = async () => (await listJobs(bench.db, { limit: 10 })).map(({ status }) => status).sort();
  expect(await statuses()).toEqual(["completed", "completed", "completed", "failed"]);
  await bench.advance(8 * DAY_MS);
  await until(async () => (await statuses()).length === 1);
  expect(await statuses()).toEqual(["failed"]);
  await bench.advance(23 * DAY_MS);
  await until(async () => (await statuses()).length === 0);
  // Groups are deleted in the purge after the one that deletes the last of their runs.
  await bench.advance(60_000);
  const remaining = async () =>
    bench.db.query<{ id: string }>(
      `SELECT key AS id FROM engine.processed_event UNION ALL SELECT key FROM engine.concurrency_group UNION ALL SELECT step FROM engine.step_result`,
    );
  await until(async () => (await remaining()).length === 0, remaining);
});
