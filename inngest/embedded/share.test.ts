import { afterEach, beforeAll, expect, test } from "vitest";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";

let bench: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
});
afterEach(() => bench.halt());

test("of the runs that two engines share, each step runs once, oldest first in its lane", async () => {
  const ran: number[] = [];
  const shared = bench.one("pair", ({ n }) => ran.push(n), {
    concurrency: [{ key: "event.data.account", limit: 8 }],
  });
  await bench.serve([shared]);
  await bench.engine([shared]).start();
  const asked = Array.from({ length: 400 }, (_, n) => ({ name: "pair/asked", data: { n, account: n % 4 } }));
  await bench.inngest.send(asked);
  await until(() => ran.length >= 400);
  await bench.settle();
  expect(bench.faults).toEqual([]);
  expect([...ran].sort((a, b) => a - b)).toEqual(asked.map(({ data }) => data.n));
  const lane = ran.filter((n) => n % 4 === 0);
  expect(Math.max(...lane.map((n, place) => Math.abs(place - n / 4)))).toBeLessThan(40);
});

test("behind a flood of thousands, the first job of another key goes next", async () => {
  const ran: number[] = [];
  await bench.serve([
    bench.one("flood", ({ account }) => ran.push(account), {
      concurrency: [{ key: "event.data.account", limit: 8 }],
    }),
  ]);
  for (let batch = 0; batch < 4; batch += 1) {
    await bench.inngest.send(Array.from({ length: 500 }, () => ({ name: "flood/asked", data: { account: 1 } })));
  }
  await until(() => ran.length > 50);
  const before = ran.length;
  await bench.send("flood/asked", { account: 2 });
  await until(() => ran.includes(2));
  expect(ran.indexOf(2) - before).toBeLessThan(100);
  expect(ran.length).toBeLessThan(1_000);
});
