import { expect, test, vi } from "vitest";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { createRandom } from "../../../test/random";
import { seed, soakCount } from "../../../test/soak";
import type { AppError } from "../../errors";
import { consumeRateLimit, throttleAttempts } from "./throttle";
import { purgeFullBuckets } from "./share-tokens";

const READS = 1_000;
const PROCESSES = 4;
const hub = await testHub({ RATE_LIMIT_READS_PER_MINUTE: `${READS}`, RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "7" });
// A clock that stands still, so that no bucket refills while a test runs.
let time = Date.now();
const now = () => new Date(time);
const processes = Array.from({ length: PROCESSES }, () => deriveHub(hub, { now }));
const [first, second] = processes as [typeof hub, typeof hub];

/** Waits until sums have been shared. */
const untilShared = (assertion: () => Promise<void>) => vi.waitFor(assertion, { timeout: 20_000 });

/** Returns how many of `count` attempts at a time from each process are not rejected. */
async function countAttempts(account: string, count: number, outcome: string | null = null): Promise<number> {
  const attempts = processes.flatMap(({ services }) => {
    const counters = [{ buckets: services.rateLimits.wrongPasswords.byAccount, key: account }];
    return Array.from({ length: count }, () => throttleAttempts(hub, counters, async () => outcome));
  });
  const results = await Promise.allSettled(attempts);
  for (const result of results)
    if (result.status === "rejected") expect((result.reason as AppError).code).toBe("rate_limited");
  return results.filter(({ status }) => status === "fulfilled").length;
}

test("a small limit is exact over all processes, whatever comes at the same time", async () => {
  expect(await countAttempts("ada@example.org", 90)).toBe(100);
  expect(await countAttempts("ada@example.org", 5)).toBe(0);
  expect(await countAttempts("bob@example.org", 1)).toBe(PROCESSES);
});

test("after its window a limit allows as much again", async () => {
  expect(await countAttempts("cleo@example.org", 30)).toBe(100);
  time += 60_000 * 6;
  expect(await countAttempts("cleo@example.org", 30)).toBe(10);
});

test("successful attempts are not counted", async () => {
  expect(await countAttempts("dora@example.org", 20, "right")).toBe(20 * PROCESSES);
  const left = () => second.services.rateLimits.wrongPasswords.byAccount.waitMs("dora@example.org");
  await untilShared(async () => {
    await countAttempts("dora@example.org", 1, "right");
    expect(left()).toBe(0);
  });
  await untilShared(async () => expect(await countAttempts("dora@example.org", 20, "right")).toBe(20 * PROCESSES));
});

test("processes together exceed a large limit by 5 % at most, in bursts and in turns", async () => {
  const random = createRandom(seed);
  for (let account = 1; account <= soakCount(2, 200); account += 1) {
    let allowed = 0;
    for (let calls = 0; calls < 3 * READS;) {
      const burst = Math.ceil(random() * 400);
      const results = await Promise.all(
        Array.from({ length: burst }, () => {
          const index = Math.floor(random() * PROCESSES);
          return consumeRateLimit(processes[index]!, account, "read");
        }),
      );
      calls += burst;
      allowed += results.filter((result) => result.allowed).length;
      for (const { remaining, waitMs } of results) {
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(60_000);
      }
    }
    expect(allowed).toBeGreaterThanOrEqual(READS);
    expect(allowed).toBeLessThanOrEqual(READS * 1.05);
  }
});

test("a burst that comes while a process shares its sums is no exception", async () => {
  const account = 2_000_000;
  const results = await Promise.all(
    processes.flatMap((process) => Array.from({ length: 500 }, () => consumeRateLimit(process, account, "read"))),
  );
  const allowed = results.filter((result) => result.allowed).length;
  expect(allowed).toBeGreaterThanOrEqual(READS);
  expect(allowed).toBeLessThanOrEqual(READS * 1.05);
});

test("the counts of one process reach the others without a request of theirs", async () => {
  const account = 1_000_000;
  for (let calls = 0; calls < 5; calls += 1) await consumeRateLimit(first, account, "read");
  // A tenth of a limit is taken in the database at once, and the result has what the first process has taken by then.
  await untilShared(async () => {
    const results = [];
    for (let calls = 0; calls < 10; calls += 1) results.push(await consumeRateLimit(second, account, "read"));
    expect(READS - results.at(-1)!.remaining).toBeGreaterThan(5);
  });
});

test("while the database is unavailable each process counts by itself, and shares its counts afterwards", async () => {
  let isAway = true;
  const query: typeof hub.db.query = (text, values) =>
    isAway ? Promise.reject(new Error("away")) : hub.db.query(text, values);
  const alone = deriveHub(hub, { now, db: { ...hub.db, query } });
  const { failures } = alone.services.rateLimits;
  const results = [];
  for (let calls = 0; calls < 9; calls += 1) results.push(await failures.consume("192.0.2.1"));
  expect(results.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, true, true, false, false]);
  isAway = false;
  await untilShared(async () =>
    expect((await first.services.rateLimits.failures.consume("192.0.2.1")).allowed).toBe(false),
  );
});

test("a clock that was far ahead blocks nobody, and the sweep removes full buckets", async () => {
  const ahead = deriveHub(hub, { now: () => new Date(time + 86_400_000) });
  for (let calls = 0; calls < 7; calls += 1) await ahead.services.rateLimits.failures.consume("192.0.2.2");
  expect((await first.services.rateLimits.failures.consume("192.0.2.2")).allowed).toBe(false);
  time += 60_000;
  expect((await first.services.rateLimits.failures.consume("192.0.2.2")).allowed).toBe(true);
  const later = deriveHub(hub, { now: () => new Date(time + 2 * 86_400_000) });
  expect(await purgeFullBuckets(later)).toBeGreaterThan(0);
  expect(await hub.db.query("SELECT FROM rate_limit")).toEqual([]);
});
