import { afterEach, beforeAll, expect, test } from "vitest";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";

let bench: EmbeddedBench;
/** With one slot, the order of jobs depends only on the engine's choice. */
let oneSlot: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
  oneSlot = await embeddedBench(1);
});
afterEach(() => Promise.all([bench.halt(), oneSlot.halt()]));

test("two engines run each step of their shared runs once, the oldest run of a concurrency group first", async () => {
  const ran: number[] = [];
  const shared = bench.oneStepFunction("pair", ({ n }) => ran.push(n), {
    concurrency: [{ key: "event.data.account", limit: 8 }],
  });
  await bench.serve([shared]);
  await bench.createEngine([shared]).start();
  const events = Array.from({ length: 400 }, (_, n) => ({ name: "pair/asked", data: { n, account: n % 4 } }));
  await bench.inngest.send(events);
  await until(() => ran.length >= 400);
  await bench.settle();
  expect(bench.errors).toEqual([]);
  expect([...ran].sort((a, b) => a - b)).toEqual(events.map(({ data }) => data.n));
  const group = ran.filter((n) => n % 4 === 0);
  const offsets = group.map((n, index) => Math.abs(index - n / 4)).toSorted((a, b) => a - b);
  // The median, because jobs that one engine has claimed wait while its connection is delayed.
  expect(offsets[offsets.length >> 1]).toBeLessThan(12);
});

test("behind thousands of jobs of one key, the first job of another key runs next", async () => {
  const ran: number[] = [];
  await oneSlot.serve([
    oneSlot.oneStepFunction("flood", ({ account }) => ran.push(account), {
      concurrency: [{ key: "event.data.account", limit: 100 }],
    }),
  ]);
  for (let batch = 0; batch < 4; batch += 1) {
    await oneSlot.inngest.send(Array.from({ length: 500 }, () => ({ name: "flood/asked", data: { account: 1 } })));
  }
  await until(() => ran.length > 5);
  await oneSlot.send("flood/asked", { account: 2 });
  const before = ran.length;
  await until(() => ran.includes(2));
  expect(ran.indexOf(2) - before).toBeLessThan(20);
  expect(ran.length).toBeLessThan(1_000);
});

test("two full concurrency groups are served in turn", async () => {
  const ran: number[] = [];
  const options = { concurrency: [{ key: "event.data.account", limit: 100 }] as [{ key: string; limit: number }] };
  const even = oneSlot.oneStepFunction("even", ({ account }) => ran.push(account), options);
  const eventsOf = (account: number) => Array.from({ length: 200 }, () => ({ name: "even/asked", data: { account } }));
  await oneSlot.inngest.send([...eventsOf(1), ...eventsOf(2)]);
  await oneSlot.serve([even]);
  await until(() => ran.length >= 40);
  const first = ran.slice(0, 40).filter((account) => account === 1);
  expect(first.length).toBeGreaterThan(15);
  expect(first.length).toBeLessThan(25);
});
