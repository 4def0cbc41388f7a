import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { ChartInput, chartUsage, forecastMonth } from "../../server/domain/usage/chart-usage";
import { newCustomer, type Customer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { settleWork } from "./settle-work";

const COST = 9_200_000n;
const EUROS = Number(COST) / 1e9;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const hub = await testHub({ RUNNING_PER_ACCOUNT: "1000" });
const { settle } = settleWork(hub, COST);
// The middle of a month, so that the days before it are in the same month.
const now = hub.now();
hub.clock.advance(Date.UTC(now.getUTCFullYear() + 1, 4, 15, 12) - now.getTime());

const ctxOf = ({ account, email }: Customer) =>
  contextOf(hub, { id: account, email, member: false, balance: 0n, reserved: 0n }, { kind: "user" }, "test");
const chart = (customer: Customer, period: string, by: string) =>
  chartUsage(ctxOf(customer), ChartInput.parse({ period, by }));

test("a chart divides each part of a period by what costs most, and adds up to the total", async () => {
  const anna = await newCustomer(hub);
  for (let n = 0; n < 9; n += 1)
    for (let count = 0; count <= n; count += 1) await settle(anna, { model: `model-${n}` });
  hub.clock.advance(DAY_MS);
  await settle(anna, { model: "model-8", keyId: anna.keyId, endUser: "eva", metadata: { team: "blue" } });

  const { times, series, others, total, grain } = await chart(anna, "7d", "model");
  expect({ grain, times: times.length, last: times.at(-1) }).toEqual({
    grain: "day",
    times: 7,
    last: hub.now().toISOString().slice(0, 10),
  });
  expect(series.map(({ value }) => value)).toEqual([8, 7, 6, 5, 4, 3, 2].map((n) => `model-${n}`));
  expect(series[0]!.parts.map(({ generations }) => generations)).toEqual([0, 0, 0, 0, 0, 9, 1]);
  expect(others).toMatchObject({ count: 2, total: { generations: 3 } });
  expect(total).toMatchObject({ generations: 46, tokens: 0 });
  expect(total.billed).toBeCloseTo(46 * EUROS, 9);

  expect((await chart(anna, "24h", "key")).series).toMatchObject([
    { value: anna.keyId, name: "test", total: { generations: 1 } },
  ]);
  expect((await chart(anna, "12m", "end_user")).series.map(({ value }) => value)).toEqual([null, "eva"]);
  expect((await chart(anna, "30d", "metadata.team")).series.map(({ value }) => value)).toEqual([null, "blue"]);
  expect((await chart(await newCustomer(hub), "90d", "model")).series).toEqual([]);
});

test("what a process whose clock is ahead has settled after the last part is left out", async () => {
  const anna = await newCustomer(hub);
  const ahead = deriveHub(hub, { now: () => new Date(hub.now().getTime() + HOUR_MS) });
  await settleWork(ahead, COST).settle(anna);
  await settle(anna);
  const { total, series } = await chart(anna, "24h", "model");
  expect(total.generations).toBe(1);
  expect(series[0]!.parts.at(-1)!.generations).toBe(1);
});

test("a member's keys are one series", async () => {
  const anna = await newCustomer(hub);
  await hub.db.query(
    "UPDATE api_key SET person_id = (SELECT person_id FROM membership WHERE account_id = $1) WHERE id = $2",
    [anna.account, anna.keyId],
  );
  await settle(anna, { keyId: anna.keyId });
  await settle(anna);
  expect((await chart(anna, "24h", "member")).series.map(({ name }) => name).toSorted()).toEqual([anna.email, null]);
});

test("the month's forecast goes on at the pace of the last seven days", async () => {
  const anna = await newCustomer(hub);
  await settle(anna);
  expect(await forecastMonth(ctxOf(anna))).toBeNull();
  hub.clock.advance(DAY_MS);
  await settle(anna);
  const at = hub.now();
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  const forecast = await forecastMonth(ctxOf(anna));
  expect(forecast).toMatchObject({ spent: 2 * EUROS, until: `${at.getUTCFullYear()}-05-31` });
  expect(forecast!.total).toBeCloseTo(2 * EUROS + ((2 * EUROS) / 7) * ((end - at.getTime()) / DAY_MS), 4);
});

test.each(["metadata.", "metadata.a b", "account", "hour", "__proto__", ""])("by %j is rejected", (by) => {
  expect(ChartInput.safeParse({ period: "7d", by }).success).toBe(false);
});
