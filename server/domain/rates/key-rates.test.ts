import { expect, test } from "vitest";
import { newCustomer } from "../../../test/api/customer";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { createRandom } from "../../../test/random";
import { seed, soakCount } from "../../../test/soak";
import type { KeyLimit } from "./key-rates";

const hub = await testHub();
// A clock that only the tests move, at the end of a second, where a window is shortest.
let time = Math.floor(Date.now() / 1000) * 1000 + 999;
const now = () => new Date(time);
const processes = Array.from({ length: 4 }, () => deriveHub(hub, { now }));
const limitOf = async (quota: number, unit: KeyLimit["unit"] = "requests"): Promise<KeyLimit> => ({
  keyId: (await newCustomer(hub)).keyId,
  unit,
  quota,
});

/** Takes amounts at once, spread over the processes. */
const takeAll = (limit: KeyLimit, amounts: number[]) =>
  Promise.all(amounts.map((amount, n) => processes[n % 4]!.services.keyRates.take({ ...limit, amount })));

test("of parallel requests in several processes exactly as many pass as the limit allows", async () => {
  for (const quota of [1, 7, 250]) {
    const limit = await limitOf(quota);
    const results = await takeAll(limit, Array<number>(400).fill(1));
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(quota);
    for (const { allowed, remaining, waitMs } of results)
      if (!allowed) expect([remaining, waitMs]).toEqual([0, 59_001]);
    time += 59_000;
    expect((await takeAll(limit, [1]))[0]!.allowed).toBe(false);
    time += 1;
    expect((await takeAll(limit, Array<number>(400).fill(1))).filter(({ allowed }) => allowed)).toHaveLength(quota);
    time += 60_999;
  }
});

test("a request that is rejected succeeds after its wait and not before, and no window has more than the limit", async () => {
  const random = createRandom(seed);
  const limit = await limitOf(100, "tokens");
  const counted: { at: number; amount: number }[] = [];
  for (let round = 0; round < soakCount(60, 2_000); round += 1) {
    const amount = Math.ceil(random() * 60);
    const [taken] = await takeAll(limit, [amount]);
    if (taken!.allowed) counted.push({ at: Math.floor(time / 1000), amount });
    else {
      time += taken!.waitMs - 1;
      expect((await takeAll(limit, [amount]))[0]!.allowed).toBe(false);
      time += 1;
      expect((await takeAll(limit, [amount]))[0]!.allowed).toBe(true);
      counted.push({ at: Math.floor(time / 1000), amount });
    }
    time += Math.floor(random() * 20_000);
  }
  for (const { at } of counted) {
    const inWindow = counted.filter((one) => one.at > at - 60 && one.at <= at);
    expect(inWindow.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(100);
  }
});

test("a use that does not fit leaves room for smaller ones beside it", async () => {
  const limit = await limitOf(100, "tokens");
  const { take } = processes[0]!.services.keyRates;
  const results = await Promise.all([80, 30, 20, 1].map((amount) => take({ ...limit, amount })));
  expect(results.map(({ allowed }) => allowed)).toEqual([true, false, true, false]);
});

test("a correction changes what is left until its second leaves the window", async () => {
  const limit = await limitOf(100, "tokens");
  const { keyRates } = processes[0]!.services;
  const { second } = await keyRates.take({ ...limit, amount: 100 });
  await processes[1]!.services.keyRates.correct(limit, second, -70);
  expect(await keyRates.take({ ...limit, amount: 70 })).toMatchObject({ allowed: true, remaining: 0 });
  time += 60_000;
  await keyRates.correct(limit, second, -30);
  expect(await keyRates.take({ ...limit, amount: 100 })).toMatchObject({ allowed: true, remaining: 0 });
  await keyRates.correct(limit, Math.floor(time / 1000), -1_000_000);
  expect(await keyRates.take({ ...limit, amount: 1 })).toMatchObject({ allowed: true, remaining: 99 });
});

test("a limit that the owner lowers or raises applies to the next request, and units are counted apart", async () => {
  const limit = await limitOf(5);
  expect((await takeAll(limit, [1, 1, 1])).every(({ allowed }) => allowed)).toBe(true);
  expect((await takeAll({ ...limit, quota: 3 }, [1]))[0]).toMatchObject({ allowed: false, remaining: 0 });
  expect((await takeAll({ ...limit, quota: 9 }, [1]))[0]).toMatchObject({ allowed: true, remaining: 5 });
  expect((await takeAll({ ...limit, unit: "tokens" }, [5]))[0]).toMatchObject({ allowed: true, remaining: 0 });
});

test("a clock that was far ahead blocks nobody", async () => {
  const limit = await limitOf(1);
  time += 86_400_000;
  await takeAll(limit, [1]);
  time -= 86_400_000;
  expect((await takeAll(limit, [1]))[0]!.allowed).toBe(true);
  const [row] = await hub.db.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM key_rate, jsonb_each(seconds) WHERE key_id = $1",
    [limit.keyId],
  );
  expect(row!.n).toBe(1);
});
