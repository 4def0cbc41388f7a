import { expect, test } from "vitest";
import { listBreakers, purgeHistory, readLoad, readWork, rollUpWork, sampleLoad } from "@/server/domain/history";
import { insertWithHold } from "@/server/domain/generations/intake";
import { settleChat } from "@/server/domain/generations/end";
import type { AttemptRecord } from "@/server/domain/generations/attempts";
import { newCustomer } from "../api/customer";
import { deriveHub } from "../derive-hub";
import { queuedGeneration } from "../generation-fixture";
import { testHub } from "../hub";

const hub = await testHub();
const HOUR_MS = 3_600_000;

interface Ended {
  model: string;
  provider: string;
  outcome: AttemptRecord["outcome"];
  runMs?: number;
  more?: Partial<AttemptRecord>;
  cost?: bigint;
}

/** Settles a chat with one attempt that has just ended. */
async function endChat(account: number, { model, provider, outcome, runMs = 1_000, more, cost = 0n }: Ended) {
  const chat = { ...queuedGeneration(account, 1_000_000n), is_llm: true, status: "running" as const };
  const generation = { ...chat, model, started_at: hub.now(), deadline_at: new Date(Date.now() + 60_000) };
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  const ended = hub.now();
  const attempt: AttemptRecord = {
    n: 1,
    route: `${provider}-route`,
    provider,
    reason: null,
    started_at: new Date(ended.getTime() - runMs),
    ended_at: ended,
    outcome,
    upstream_status: null,
    cost: "400",
    ...more,
  };
  const error = { code: "provider_error", message: "It failed.", retryable: true } as const;
  const ending =
    outcome === "succeeded" ? { to: "succeeded" as const, cost } : { to: "failed" as const, cost: 0n, error };
  expect(await settleChat(hub, generation.id, { ...ending, attempts: [attempt] })).toBe(true);
}

test("sums up attempts by provider and model, repeatedly, and forgets them after a month", async () => {
  const { account } = await newCustomer(hub);
  for (const runMs of [100, 100, 100, 5_000])
    await endChat(account, {
      model: "a",
      provider: "openai",
      outcome: "succeeded",
      runMs,
      more: { first_token_ms: 50 },
      cost: 1_000n,
    });
  await endChat(account, { model: "a", provider: "anthropic", outcome: "failed", more: { cause: "outage" } });
  await endChat(account, { model: "b", provider: "openai", outcome: "refused", more: { cause: "job" } });
  await endChat(account, { model: "b", provider: "openai", outcome: "refused" });
  for (let n = 0; n < 2; n += 1) expect(await rollUpWork(hub)).toBe(3);

  const { times, series } = await readWork(hub, "24h", "model");
  expect(times.length).toBe(24);
  expect(series.map(({ name }) => name)).toEqual(["a", "b"]);
  const [{ total, parts }] = series as [(typeof series)[number]];
  expect(total).toMatchObject({ requests: 5, succeeded: 4, failed: 1, success_rate: 0.8, billed: 4e-6 });
  expect(total.margin).toBeCloseTo(4e-6 - 2e-6, 10);
  expect(Math.abs(total.p50_ms! - 100)).toBeLessThan(12);
  expect(Math.abs(total.p95_ms! - 5_000)).toBeLessThan(500);
  expect(Math.abs(total.first_token_p50_ms! - 50)).toBeLessThan(6);
  expect(parts.at(-1) ?? parts.at(-2)).toEqual(total);
  expect(series[1]!.total).toMatchObject({ requests: 1, success_rate: null, p50_ms: null });
  const byProvider = await readWork(hub, "30d", "provider");
  expect(byProvider.series.map(({ name, total: { requests } }) => [name, requests])).toEqual([
    ["openai", 5],
    ["anthropic", 1],
  ]);

  const later = deriveHub(hub, { now: () => new Date(Date.now() + 32 * 24 * HOUR_MS) });
  while ((await purgeHistory(later, 2)) > 0);
  expect((await readWork(hub, "30d", "model")).series).toEqual([]);
});

test("models beyond seven share a series", async () => {
  const { account } = await newCustomer(hub);
  for (let n = 0; n < 9; n += 1)
    await endChat(account, { model: `model-${n}`, provider: "openai", outcome: "succeeded" });
  await rollUpWork(hub);
  const { series } = await readWork(hub, "7d", "model");
  expect(series.length).toBe(8);
  expect(series.at(-1)).toMatchObject({ name: null });
  expect(series.reduce((sum, { total }) => sum + total.requests, 0)).toBeGreaterThanOrEqual(9);
});

test("samples the load once a minute", async () => {
  const { account } = await newCustomer(hub);
  expect(await insertWithHold(hub, queuedGeneration(account, 100n))).toBe("accepted");
  await Promise.all([sampleLoad(hub), sampleLoad(hub)]);
  const { queued, times } = await readLoad(hub, "24h");
  expect(times.length).toBe(96);
  expect(queued.filter((value) => value !== null)).toEqual([1]);
});

test("lists when breakers were open, also those that opened before the period", async () => {
  const now = hub.now().getTime();
  const changes: [string, number, boolean][] = [
    ["long", 30, true],
    ["short", 3, true],
    ["short", 2.5, true],
    ["short", 2, false],
    ["closed", 40, false],
  ];
  for (const [route, hoursAgo, isOpen] of changes)
    await hub.db.query(
      "INSERT INTO breaker_change (route, provider, changed_at, open_until, reason) VALUES ($1, 'p', $2, $3, $4)",
      [
        route,
        new Date(now - hoursAgo * HOUR_MS),
        isOpen ? new Date(now - hoursAgo * HOUR_MS + 60_000) : null,
        isOpen ? "outage" : null,
      ],
    );
  const { from, routes } = await listBreakers(hub, "24h");
  expect(routes).toEqual([
    { route: "long", provider: "p", pauses: [{ from, until: null, reason: "outage" }] },
    {
      route: "short",
      provider: "p",
      pauses: [
        {
          from: new Date(now - 3 * HOUR_MS).toISOString(),
          until: new Date(now - 2 * HOUR_MS).toISOString(),
          reason: "outage",
        },
      ],
    },
  ]);
});
