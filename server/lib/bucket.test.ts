import fc from "fast-check";
import { expect, test } from "vitest";
import { createBuckets } from "./bucket";

test("a full bucket gives all of its tokens at once, and no more", () => {
  const buckets = createBuckets(600);
  for (let left = 599; left >= 0; left -= 1) {
    expect(buckets.consume("a", 1_000)).toMatchObject({ allowed: true, remaining: left });
  }
  expect(buckets.consume("a", 1_000)).toMatchObject({ allowed: false, remaining: 0 });
  expect(buckets.consume("b", 1_000)).toMatchObject({ allowed: true, remaining: 599 });
});

test("has one token after the wait that it reports, and none before", () => {
  const rates = fc.integer({ min: 1, max: 100_000 });
  const gaps = fc.array(fc.nat(2_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(rates, gaps, (perMinute, waits) => {
      const buckets = createBuckets(perMinute);
      let now = 1_700_000_000_000;
      for (const wait of waits) {
        now += wait;
        const { allowed, waitMs } = buckets.consume("a", now);
        if (allowed) continue;
        if (waitMs > 2) expect(buckets.consume("a", now + waitMs - 2).allowed).toBe(false);
        now += waitMs;
        expect(buckets.consume("a", now).allowed).toBe(true);
      }
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("a longer window refills more slowly, and asking for the wait takes no token", () => {
  const buckets = createBuckets<string>(2, { windowMs: 3_600_000 });
  expect(buckets.peek("a", 0)).toEqual({ remaining: 2, waitMs: 0 });
  expect([1, 2, 3].map(() => buckets.consume("a", 0).allowed)).toEqual([true, true, false]);
  expect(Math.ceil(buckets.peek("a", 0).waitMs)).toBe(1_800_000);
  expect(buckets.peek("a", 1_800_000).waitMs).toBe(0);
  expect(buckets.consume("a", 1_800_000).allowed).toBe(true);
});

test("gives at most twice its rate in any minute: its capacity and the refill", () => {
  const buckets = createBuckets(60);
  let granted = 0;
  for (let now = 0; now < 60_000; now += 100) if (buckets.consume("a", now).allowed) granted += 1;
  expect(granted).toBe(119);
});

test("keeps a bounded number of keys, and drops full buckets first", () => {
  const buckets = createBuckets<number>(60, { maxKeys: 1_000 });
  for (let used = 0; used < 60; used += 1) buckets.consume(-1, 100_000);
  for (let key = 0; key < 20_000; key += 1) buckets.consume(key, 90_000 + key);
  expect(buckets.size).toBeLessThanOrEqual(1_000);
});

test("a returned token can be taken again, and never exceeds the capacity", () => {
  const buckets = createBuckets<string>(2);
  buckets.refund("a");
  expect([1, 2, 3].map(() => buckets.consume("a", 0).allowed)).toEqual([true, true, false]);
  buckets.refund("a");
  expect(buckets.consume("a", 0)).toMatchObject({ allowed: true, remaining: 0 });
  for (let times = 0; times < 5; times += 1) buckets.refund("a");
  expect([1, 2, 3].map(() => buckets.consume("a", 0).allowed)).toEqual([true, true, false]);
});

test("a clock that goes back three days blocks nobody for longer than a minute", () => {
  const buckets = createBuckets<string>(10);
  const now = 1_000_000_000;
  for (let take = 0; take < 10; take += 1) buckets.consume("one", now);
  const earlier = now - 259_200_000;
  expect(buckets.consume("one", earlier)).toMatchObject({ allowed: false, waitMs: 6_000 });
  expect(buckets.consume("one", earlier + 6_000)).toMatchObject({ allowed: true, remaining: 0 });
  expect(buckets.peek("one", earlier + 66_000)).toEqual({ remaining: 10, waitMs: 0 });
});
