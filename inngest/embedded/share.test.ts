import { afterEach, beforeAll, expect, test } from "vitest";
import { until } from "../contract/bench";
import { type EmbeddedBench, embeddedBench } from "../contract/embedded-bench";

let bench: EmbeddedBench;
/** With one slot, who comes next is the engine's choice alone. */
let narrow: EmbeddedBench;
beforeAll(async () => {
  bench = await embeddedBench();
  narrow = await embeddedBench(1);
});
afterEach(() => Promise.all([bench.halt(), narrow.halt()]));

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
  await narrow.serve([
    narrow.one("flood", ({ account }) => ran.push(account), {
      concurrency: [{ key: "event.data.account", limit: 100 }],
    }),
  ]);
  for (let batch = 0; batch < 4; batch += 1) {
    await narrow.inngest.send(Array.from({ length: 500 }, () => ({ name: "flood/asked", data: { account: 1 } })));
  }
  await until(() => ran.length > 5);
  const before = ran.length;
  await narrow.send("flood/asked", { account: 2 });
  await until(() => ran.includes(2));
  expect(ran.indexOf(2) - before).toBeLessThan(20);
  expect(ran.length).toBeLessThan(1_000);
});

test("two floods are served in turn", async () => {
  const ran: number[] = [];
  const options = { concurrency: [{ key: "event.data.account", limit: 100 }] as [{ key: string; limit: number }] };
  const even = narrow.one("even", ({ account }) => ran.push(account), options);
  const asked = (account: number) => Array.from({ length: 200 }, () => ({ name: "even/asked", data: { account } }));
  await narrow.inngest.send([...asked(1), ...asked(2)]);
  await narrow.serve([even]);
  await until(() => ran.length >= 40);
  const first = ran.slice(0, 40).filter((account) => account === 1);
  expect(first.length).toBeGreaterThan(15);
  expect(first.length).toBeLessThan(25);
});
