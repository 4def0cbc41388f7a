import { afterAll, expect, test } from "vitest";
import { deriveHub } from "../../../../test/derive-hub";
import { testHub } from "../../../../test/hub";
import {
  createPayer,
  createUpstream,
  listStoredAttempts,
  pending,
  queueRouted,
  refusedBecause,
  routedCatalogue,
  type RouteOptions,
} from "../../../../test/routed-hub";
import type { Hub } from "../../hub";
import { openDb } from "../../../db/client";
import { cancelStoredGeneration } from "../end/cancel";
import { dispatchNextQueued } from "../queue/dispatch-queued";
import { dispatchWaiting } from "../queue/dispatch-waiting";
import { failWaitingTooLong } from "../end/fail-waiting";
import { requestCancel } from "../end/stop-running";
import { markRunning } from "./mark-running";
import { redispatchLatest, redispatchStale } from "../queue/redispatch";
import { purgeWaits } from "../queue/route-waits";
import { runAudit } from "../../audit/audit";
import { beginRun } from "./advance-run";
import { endRun } from "./end-run";
import { toEnding } from "./next-action";
import { pullBackTimes } from "./pull-back-times";
import { runAttempt } from "./run-attempt";

const base = await testHub({ EUR_PER_USD: "1", RUNNING_PER_ACCOUNT: "1000" });
const secondDb = openDb(base.databaseUrl, 10);
afterAll(() => secondDb.close());

let suites = 0;

/** Opens a hub with a clock that only moves on command, and providers of its own. */
async function open(routes: Omit<RouteOptions, "provider">[], settings: { second?: boolean } = {}) {
  let now = Date.UTC(2026, 10, 22, 12);
  await base.db.query("DELETE FROM route_wait");
  suites += 1;
  const providers = routes.map((_, index) => `${String.fromCharCode(97 + index)}${suites}`);
  const upstream = createUpstream();
  const changes = {
    now: () => new Date(now),
    catalogue: routedCatalogue(routes.map((route, index) => ({ provider: providers[index]!, ...route }))),
    providers: { replicate: upstream.provider },
  };
  const published: string[] = [];
  const publish: Hub["publish"] = ({ name, data }) => void published.push(`${name} ${(data as { id: string }).id}`);
  const hub = deriveHub(base, { ...changes, publish });
  const other = deriveHub(base, { ...changes, publish, db: settings.second ? secondDb : base.db });
  const account = await createPayer(hub);
  const queue = () => queueRouted(hub, account);
  const begin = (id: string, at: Hub = hub, runId = "run") => beginRun(at, { generationId: id, runId });
  const attempt = (id: string, n = 1, at: Hub = hub) => runAttempt(at, { generationId: id, runId: "run" }, n);
  /** Begins a run and submits its first attempt. */
  const run = async (id: string) => {
    expect(await begin(id)).toBe("running");
    return attempt(id);
  };
  const end = async (id: string) => {
    const run = { generationId: id, runId: "run" };
    await endRun(hub, run, { to: "succeeded", outputs: 0, cost: 0n, attempt: { outcome: "succeeded" } });
  };
  const statusOf = async (id: string) =>
    (await hub.db.query<{ status: string }>("SELECT status FROM generation WHERE id = $1", [id]))[0]!.status;
  const waits = async (id: string) =>
    (
      await hub.db.query<{ awaits: string; reason: string }>(
        "SELECT awaits, reason FROM route_wait WHERE generation_id = $1 ORDER BY awaits",
        [id],
      )
    ).map(({ awaits, reason }) => `${reason} ${awaits}`);
  const woken = () => published.splice(0).map((event) => event.split(" ")[1]!);
  return {
    hub,
    other,
    account,
    providers,
    upstream,
    published,
    queue,
    begin,
    attempt,
    run,
    end,
    statusOf,
    waits,
    woken,
    advance: (seconds: number) => void (now += seconds * 1000),
    setTime: (time: number) => void (now = time),
  };
}

const spent = async (hub: Hub, provider: string) =>
  (
    await hub.db.query<{ day: string; spent: bigint }>(
      "SELECT day::text, spent FROM provider_spending WHERE provider = $1 ORDER BY day",
      [provider],
    )
  ).map((row) => [row.day, Number(row.spent) / 1e9]);

test("two processes never have more attempts in flight than the provider takes", async () => {
  const { hub, other, queue, begin, waits, providers } = await open([{ limits: { maxInFlight: 7 } }], { second: true });
  const ids = await Promise.all(Array.from({ length: 200 }, queue));
  const begun = await Promise.all(ids.map((id, index) => begin(id, index % 2 === 0 ? hub : other)));
  const running = ids.filter((_, index) => begun[index] === "running");
  expect(begun.filter((result) => result === "waiting")).toHaveLength(193);
  expect(running).toHaveLength(7);
  const open_ = await hub.db.query("SELECT FROM attempt WHERE limited_provider = $1 AND ended_at IS NULL", [
    providers[0],
  ]);
  expect(open_).toHaveLength(7);
  expect(await waits(running[0]!)).toEqual([]);
  expect(await waits(ids.find((id) => !running.includes(id))!)).toEqual([`at_capacity ${providers[0]}`]);
});

test("running generations never exceed it either", async () => {
  const { hub, other, queue, attempt, upstream } = await open([{ limits: { maxInFlight: 5 } }], { second: true });
  const ids = await Promise.all(Array.from({ length: 60 }, queue));
  await Promise.all(ids.map((id) => markRunning(hub, { generationId: id, runId: "run" })));
  const actions = await Promise.all(ids.map((id, index) => attempt(id, 1, index % 2 === 0 ? hub : other)));
  expect(actions.filter(({ next }) => next === "poll")).toHaveLength(5);
  expect(actions.filter(({ next }) => next === "wait")).toHaveLength(55);
  expect(upstream.submits).toHaveLength(5);
});

test("a generation that waits stays queued, without a slot, and is not dispatched before there is a place", async () => {
  const { hub, account, queue, begin, run, end, statusOf, woken, advance, upstream } = await open([
    { limits: { maxInFlight: 1 } },
  ]);
  const [first, second, third] = [await queue(), await queue(), await queue()];
  await run(first);
  expect([await begin(third), await begin(second)]).toEqual(["waiting", "waiting"]);
  expect([await statusOf(second), await statusOf(third)]).toEqual(["queued", "queued"]);
  expect(await hub.db.query("SELECT running FROM account WHERE id = $1", [account])).toEqual([{ running: 1 }]);
  expect(await listStoredAttempts(hub, second)).toEqual([]);
  advance(120);
  woken();
  await dispatchWaiting(hub);
  await redispatchStale(hub);
  await redispatchLatest(hub);
  expect(woken()).not.toContain(second);

  // First come, first served, also for one that comes at that moment.
  await end(first);
  await expect.poll(woken).toEqual([second]);
  expect(await begin(await queue())).toBe("waiting");
  expect(await begin(third)).toBe("waiting");
  expect(await begin(second)).toBe("running");
  await dispatchWaiting(hub);
  expect(woken()).toEqual([]);
  await end(second);
  await expect.poll(woken).toEqual([third]);
  expect(upstream.submits).toHaveLength(1);
});

test("a generation that was woken and does not come loses its turn after ten seconds, and is dispatched again", async () => {
  const { hub, queue, begin, run, end, woken, advance } = await open([{ limits: { maxInFlight: 1 } }]);
  const [first, lost, next] = [await queue(), await queue(), await queue()];
  await run(first);
  await begin(lost);
  await begin(next);
  await end(first);
  await expect.poll(woken).toEqual([lost]);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([]);
  advance(10);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([next]);
  expect(await begin(next)).toBe("running");
  advance(60);
  await redispatchStale(hub);
  expect(woken()).toContain(lost);
});

test("a flood of one account does not keep another one waiting", async () => {
  const { hub, account, queue, begin, run, end, waits, woken, advance } = await open([{ limits: { maxInFlight: 1 } }]);
  hub.env = { ...hub.env, RUNNING_PER_ACCOUNT: 2 };
  const flood = await Promise.all(Array.from({ length: 6 }, queue));
  await run(flood[0]!);
  for (const id of flood.slice(1)) {
    expect(await begin(id)).toBe("waiting");
    advance(0.001);
  }
  expect((await Promise.all(flood.map(waits))).map((awaited) => awaited.length)).toEqual([0, 1, 1, 0, 0, 0]);
  const other = await queueRouted(hub, await createPayer(hub));
  expect(await begin(other)).toBe("waiting");
  // The end of each dispatches the next of its account, which takes its place behind the others.
  const order = [flood[0]!];
  for (let current = flood[0]!; order.length < 7;) {
    woken();
    await end(current);
    await dispatchNextQueued(hub, account);
    const beginWoken = async () => {
      for (const id of woken()) {
        advance(0.001);
        if ((await begin(id)) === "running") order.push(id);
      }
      return order.at(-1);
    };
    await expect.poll(beginWoken).not.toBe(current);
    current = order.at(-1)!;
  }
  expect(order.indexOf(other)).toBe(2);
  expect(order.toSorted()).toEqual([...flood, other].toSorted());
});

test("generations that wait for one provider do not keep those of their account for another one waiting", async () => {
  const limits = { maxInFlight: 1 };
  const full = await open([{ limits }]);
  const { hub, providers, begin, run, end, waits, woken } = await open([{ limits }]);
  for (const each of [full.hub, hub]) each.env = { ...each.env, RUNNING_PER_ACCOUNT: 2 };
  const queue = () => queueRouted(hub, full.account);
  const flood = await Promise.all(Array.from({ length: 4 }, full.queue));
  await full.run(flood[0]!);
  for (const id of flood.slice(1)) expect(await full.begin(id)).toBe("waiting");
  expect((await Promise.all(flood.map(full.waits))).map((awaited) => awaited.length)).toEqual([0, 1, 1, 0]);

  const other = await queueRouted(hub, await createPayer(hub));
  await run(other);
  const [one, either, third] = [await queue(), await queue(), await queue()];
  expect(await begin(one)).toBe("waiting");
  hub.catalogue = routedCatalogue([...full.providers, ...providers].map((provider) => ({ provider, limits })));
  expect([await begin(either), await begin(third)]).toEqual(["waiting", "waiting"]);
  expect(await begin(either)).toBe("waiting");
  const awaited = `at_capacity ${providers[0]}`;
  expect(await Promise.all([one, either, third].map(waits))).toEqual([[awaited], [awaited], []]);
  await end(other);
  await expect.poll(woken).toEqual([one]);
});

test("a canceled generation holds up nobody", async () => {
  const { hub, account, queue, begin, run, end, statusOf, waits, woken } = await open([{ limits: { maxInFlight: 1 } }]);
  const [first, canceled, next] = [await queue(), await queue(), await queue()];
  await run(first);
  await begin(canceled);
  await begin(next);
  const ctx = {
    hub,
    account: { id: account, email: "", member: false, balance: 0n, reserved: 0n },
    actor: { kind: "user" as const },
    requestId: "test",
  };
  await cancelStoredGeneration(ctx, canceled);
  woken();
  await end(first);
  await expect.poll(woken).toEqual([next]);
  expect(await begin(next)).toBe("running");
  expect(await begin(canceled)).toBe("not_queued");
  await purgeWaits(hub);
  expect([await waits(canceled), await waits(next)]).toEqual([[], []]);
  expect(await statusOf(canceled)).toBe("canceled");
});

test("a generation without a slot of its account reserves no place and holds up nobody", async () => {
  const { hub, queue, begin } = await open([{ limits: { maxInFlight: 1 } }]);
  const poor = await queue();
  hub.env = { ...hub.env, RUNNING_PER_ACCOUNT: 0 };
  expect(await begin(poor)).toBe("no_slot");
  hub.env = base.env;
  expect(await listStoredAttempts(hub, poor)).toEqual([]);
  expect(await begin(await queue())).toBe("running");
});

test("at most so many attempts begin in any minute", async () => {
  const { hub, queue, begin, run, end, woken, advance } = await open([{ limits: { perMinute: 2 } }]);
  const ids = [await queue(), await queue(), await queue(), await queue()];
  await run(ids[0]!);
  advance(30);
  await run(ids[1]!);
  await end(ids[0]!);
  expect([await begin(ids[2]!), await begin(ids[3]!)]).toEqual(["waiting", "waiting"]);
  advance(29.999);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([]);
  advance(0.001);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([ids[2]]);
  expect([await begin(ids[3]!), await begin(ids[2]!)]).toEqual(["waiting", "running"]);
});

test("when the clock goes back, neither those that wait nor the attempts of a minute wait for the difference", async () => {
  const { hub, queue, begin, run, end, woken, advance } = await open([{ limits: { maxInFlight: 1, perMinute: 1 } }]);
  const [first, second] = [await queue(), await queue()];
  await run(first);
  expect(await begin(second)).toBe("waiting");
  advance(-3600);
  await pullBackTimes(hub);
  woken();
  await end(first);
  await expect.poll(woken).toEqual([second]);
  expect(await begin(second)).toBe("running");
  // Its own attempt counts in this minute.
  await end(second);
  expect(await begin(await queue())).toBe("waiting");
});

test("a reserved attempt is submitted once, and counts as begun until then", async () => {
  const { hub, queue, begin, attempt, upstream, advance } = await open([{ limits: { perMinute: 1 } }]);
  const id = await queue();
  expect(await begin(id)).toBe("running");
  expect(await listStoredAttempts(hub, id)).toMatchObject([{ n: 1, outcome: null, reserved: true }]);
  advance(90);
  expect(await begin(await queue())).toBe("waiting");
  const actions = await Promise.all([attempt(id), attempt(id)]);
  expect(actions.map(({ next }) => next)).toEqual(["poll", "poll"]);
  expect(upstream.submits).toHaveLength(1);
  expect(await listStoredAttempts(hub, id)).toMatchObject([{ n: 1, outcome: null, reserved: false }]);
});

test("a run that takes over submits the attempt that a lost run has reserved", async () => {
  const { hub, queue, begin, attempt, upstream, advance } = await open([{ limits: { maxInFlight: 1 } }]);
  const id = await queue();
  expect(await begin(id)).toBe("running");
  advance(60);
  expect(await begin(id, hub, "other")).toBe("running");
  expect(await attempt(id)).toEqual({ next: "stop" });
  expect(await runAttempt(hub, { generationId: id, runId: "other" }, 1)).toMatchObject({ next: "poll" });
  expect(upstream.submits).toHaveLength(1);
});

test("a reserved attempt whose route was removed is refused, and the next route is tried", async () => {
  const { hub, queue, begin, attempt, upstream, providers } = await open([{ limits: { maxInFlight: 1 } }, {}]);
  const id = await queue();
  await begin(id);
  hub.catalogue = routedCatalogue([{ provider: providers[1]! }]);
  expect(await attempt(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await attempt(id, 2)).toMatchObject({ next: "poll" });
  expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual([providers[1]]);
  expect(await listStoredAttempts(hub, id)).toMatchObject([
    { outcome: "refused", reserved: false },
    { outcome: null, route: `${providers[1]}:m` },
  ]);
});

test("a generation that ends before its reserved attempt is submitted was not sent to the provider", async () => {
  const { hub, queue, begin, providers } = await open([
    { limits: { spendLimitPerDay: 1_000_000_000n }, priceUsd: 10_000_000n },
  ]);
  const id = await queue();
  await begin(id);
  expect(await spent(hub, providers[0]!)).toEqual([["2026-11-22", 0.01]]);
  const error = { code: "internal_error" as const, message: "No.", retryable: true };
  await endRun(hub, { generationId: id, runId: "run" }, { to: "failed", error });
  expect(await listStoredAttempts(hub, id)).toMatchObject([{ outcome: "refused", reserved: false }]);
  expect(await spent(hub, providers[0]!)).toEqual([["2026-11-22", 0]]);
});

test("tries the next route while a provider is full, and says so", async () => {
  const { hub, queue, run, upstream, providers } = await open([{ limits: { maxInFlight: 1 } }, {}]);
  const [first, second] = [await queue(), await queue()];
  await run(first);
  await run(second);
  expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual(providers);
  expect(await listStoredAttempts(hub, second)).toMatchObject([
    { route: `${providers[1]}:m`, skipped: ["at_capacity"] },
  ]);
});

test("waits for every route that may free up", async () => {
  const { hub, queue, begin, run, end, waits, woken, providers } = await open([
    { limits: { maxInFlight: 1 } },
    { limits: { perMinute: 1 } },
  ]);
  const [first, second, third] = [await queue(), await queue(), await queue()];
  await run(first);
  await run(second);
  expect(await begin(third)).toBe("waiting");
  expect(await waits(third)).toEqual(providers.map((provider) => `at_capacity ${provider}`));
  await end(first);
  await expect.poll(woken).toEqual([third]);
  expect(await begin(third)).toBe("running");
  expect(await waits(third)).toEqual([]);
  expect(await listStoredAttempts(hub, third)).toMatchObject([{ route: `${providers[0]}:m` }]);
});

test("a running generation waits for a place without a new attempt, and is woken in its turn", async () => {
  const { hub, queue, begin, run, end, attempt, published, upstream, providers } = await open([
    {},
    { limits: { maxInFlight: 1 } },
  ]);
  upstream.respond = ({ route }) =>
    route.provider.id === providers[0]
      ? refusedBecause("job")
      : { state: "pending", upstreamId: "job", progress: null, pollAfterSeconds: 1 };
  const [first, second] = [await queue(), await queue()];
  for (const id of [first, second]) expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await attempt(first, 2)).toMatchObject({ next: "poll" });
  expect(await attempt(second, 2)).toEqual({ next: "wait", waitSeconds: 15 });
  expect(await listStoredAttempts(hub, second)).toHaveLength(1);
  published.length = 0;
  await end(first);
  await expect.poll(() => published).toEqual([`generation/dispatched ${second}`]);
  hub.catalogue = routedCatalogue([{ provider: providers[1]!, limits: { maxInFlight: 1 } }]);
  expect(await begin(await queue())).toBe("waiting");
  expect(await attempt(second, 2)).toMatchObject({ next: "poll" });
});

test("a spend limit counts what is begun, refunds what is refused, and corrects what is reported", async () => {
  const { hub, queue, begin, run, attempt, waits, woken, upstream, providers, setTime } = await open([
    { limits: { spendLimitPerDay: 35_000_000n }, priceUsd: 10_000_000n },
  ]);
  const provider = providers[0]!;
  const today = "2026-11-22";
  const ids = [await queue(), await queue(), await queue(), await queue()];
  await run(ids[0]!);
  expect(await spent(hub, provider)).toEqual([[today, 0.01]]);
  upstream.respond = () => refusedBecause("job");
  expect(await run(ids[1]!)).toMatchObject({ next: "fail" });
  await endRun(hub, { generationId: ids[1]!, runId: "run" }, toEnding(failedBy("refused")));
  expect(await spent(hub, provider)).toEqual([[today, 0.01]]);
  // It costs more than was counted.
  await endRun(hub, { generationId: ids[0]!, runId: "run" }, toEnding(failedBy("failed", "27000000")));
  expect(await spent(hub, provider)).toEqual([[today, 0.027]]);
  expect(await begin(ids[2]!)).toBe("waiting");
  expect(await waits(ids[2]!)).toEqual([`over_budget ${provider}`]);
  await dispatchWaiting(hub);
  expect(woken()).not.toContain(ids[2]);
  setTime(Date.UTC(2026, 10, 23));
  await dispatchWaiting(hub);
  expect(woken()).toContain(ids[2]);
  expect(await begin(ids[2]!)).toBe("running");
  upstream.respond = () => refusedBecause("capacity");
  expect(await attempt(ids[2]!)).toMatchObject({ next: "attempt" });
  expect(await spent(hub, provider)).toEqual([
    [today, 0.027],
    ["2026-11-23", 0],
  ]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const failedBy = (outcome: "failed" | "refused", cost?: string) => ({
  next: "fail" as const,
  attempt: { outcome, cost },
  error: { code: "provider_error" as const, message: "No.", retryable: false },
});

test("the audit finds spending that differs from the attempts, and counts lost attempts", async () => {
  const { hub, queue, run, providers } = await open([
    { limits: { spendLimitPerDay: 1_000_000_000n }, priceUsd: 10_000_000n },
  ]);
  const before = await runAudit(hub.db);
  const id = await queue();
  await run(id);
  const error = { code: "provider_error" as const, message: "No.", retryable: true };
  await endRun(hub, { generationId: id, runId: "run" }, { to: "failed", error, attempt: { outcome: "lost" } });
  const after = await runAudit(hub.db);
  expect([after.lost - before.lost, after.violations]).toEqual([1, []]);
  const [provider] = providers;
  await hub.db.query("UPDATE provider_spending SET spent = spent + 1 WHERE provider = $1", [provider]);
  expect((await runAudit(hub.db)).violations).toEqual([
    {
      check: "the spending of a provider with a spend limit equals what its attempts cost",
      subject: `provider ${provider} on 2026-11-22`,
      message: "spent 0.01000000100000000000 EUR, attempts cost 0.01000000000000000000 EUR",
    },
  ]);
  await hub.db.query("UPDATE provider_spending SET spent = spent - 1 WHERE provider = $1", [provider]);
});

test("100 concurrent attempts in two processes never exceed a spend limit", async () => {
  const { hub, other, queue, begin, providers } = await open(
    [{ limits: { spendLimitPerDay: 1_000_000_000n }, priceUsd: 30_000_000n }],
    { second: true },
  );
  const ids = await Promise.all(Array.from({ length: 100 }, queue));
  const begun = await Promise.all(ids.map((id, index) => begin(id, index % 2 === 0 ? hub : other)));
  expect(begun.filter((result) => result === "running")).toHaveLength(33);
  expect(await spent(hub, providers[0]!)).toEqual([["2026-11-22", 0.99]]);
});

test("while every route cools down a generation waits in the queue; one tries, and its success lets the others in", async () => {
  const { hub, queue, begin, run, attempt, statusOf, waits, woken, advance, upstream, providers } = await open([{}]);
  upstream.respond = () => refusedBecause("capacity", { retryAfter: 20 });
  const [first, second, third] = [await queue(), await queue(), await queue()];
  await run(first);
  expect([await begin(second), await begin(third)]).toEqual(["waiting", "waiting"]);
  expect([await statusOf(second), await waits(second)]).toEqual(["queued", [`cooling_down ${providers[0]}:m`]]);
  await dispatchWaiting(hub);
  expect(woken()).not.toContain(second);
  advance(20);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([second]);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([]);
  upstream.respond = createUpstream().respond;
  expect([await begin(third), await begin(second)]).toEqual(["waiting", "running"]);
  expect(await begin(third)).toBe("waiting");
  expect(await attempt(first, 2)).toMatchObject({ next: "wait" });
  expect(await attempt(second)).toMatchObject({ next: "poll" });
  await dispatchWaiting(hub);
  expect(woken().sort()).toEqual([first, third].sort());
  expect(await begin(third)).toBe("running");
  expect(await attempt(first, 2)).toMatchObject({ next: "poll" });
  expect(await listStoredAttempts(hub, second)).toMatchObject([{ skipped: [] }]);
});

test("generations that wait try again once the catalogue gives their model another route", async () => {
  const { hub, queue, begin, run, waits, woken, upstream, providers } = await open([{}]);
  upstream.respond = () => refusedBecause("account");
  await run(await queue());
  const id = await queue();
  expect(await begin(id)).toBe("waiting");
  woken();
  await dispatchWaiting(hub);
  hub.catalogue = routedCatalogue([{ provider: providers[0]!, priceUsd: 1_000_000n }]);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([]);
  hub.catalogue = routedCatalogue([{ provider: "replacement" }]);
  await dispatchWaiting(hub);
  expect(woken()).toEqual([id]);
  expect(await begin(id)).toBe("running");
  expect(await waits(id)).toEqual([]);
});

test.each(["account", "job"] as const)(
  "a job waits for the route that was full, although another one refused it for good afterwards (%s)",
  async (cause) => {
    const { queue, run, attempt, upstream, providers, advance } = await open([{}, {}]);
    upstream.respond = ({ route }) =>
      route.provider.id === providers[0] ? refusedBecause("capacity", { retryAfter: 20 }) : refusedBecause(cause);
    const id = await queue();
    expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
    expect(await attempt(id, 2)).toEqual({ next: "attempt", pauseSeconds: 5 });
    advance(5);
    expect(await attempt(id, 3)).toEqual({ next: "wait", waitSeconds: 15 });
    advance(15);
    upstream.respond = pending;
    expect(await attempt(id, 3)).toMatchObject({ next: "poll" });
    expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual([...providers, providers[0]]);
  },
);

test("a job is tried again on the route that is free first, not after the time that the last one asked for", async () => {
  const { queue, run, attempt, upstream, providers, advance } = await open([{}, {}]);
  upstream.respond = ({ route }) =>
    refusedBecause("capacity", { retryAfter: route.provider.id === providers[0] ? 2 : 600 });
  const id = await queue();
  expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await attempt(id, 2)).toEqual({ next: "attempt", pauseSeconds: 5 });
  advance(5);
  upstream.respond = pending;
  expect(await attempt(id, 3)).toMatchObject({ next: "poll" });
  expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual([...providers, providers[0]]);
});

test("a job with one route left waits as long as that asks for", async () => {
  const { queue, run, attempt, upstream, providers } = await open([{}, {}]);
  upstream.respond = ({ route }) =>
    route.provider.id === providers[0] ? refusedBecause("account") : refusedBecause("capacity", { retryAfter: 20 });
  const id = await queue();
  expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await attempt(id, 2)).toEqual({ next: "attempt", pauseSeconds: 20 });
});

test("a job fails at once when no route is left", async () => {
  const { queue, run, attempt, upstream } = await open([{}, {}]);
  upstream.respond = () => refusedBecause("account");
  const id = await queue();
  expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 0 });
  expect(await attempt(id, 2)).toMatchObject({ next: "fail" });
});

test("work that began and failed is repeated only on its own route, also when that is full meanwhile", async () => {
  const { queue, run, attempt, upstream, providers } = await open([{ retryStarted: 1 }, {}]);
  const answers = [refusedBecause("job", { started: "yes" }), refusedBecause("capacity", { retryAfter: 20 })];
  upstream.respond = () => answers.shift()!;
  const id = await queue();
  expect(await run(id)).toEqual({ next: "attempt", pauseSeconds: 1 });
  expect(await attempt(id, 2)).toEqual({ next: "attempt", pauseSeconds: 20 });
  expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual([providers[0], providers[0]]);
});

test("a job whose input could not be read at one route is tried at the next", async () => {
  const { queue, run, attempt, upstream, providers } = await open([{}, {}]);
  const error = { code: "input_unavailable", message: "No.", retryable: true } as const;
  upstream.respond = ({ route }) =>
    route.provider.id === providers[0] ? { ...refusedBecause("job"), error } : refusedBecause("capacity");
  const id = await queue();
  expect(await run(id)).toMatchObject({ next: "attempt" });
  await attempt(id, 2);
  expect(upstream.submits.map(({ route }) => route.provider.id)).toEqual(providers);
});

test("an input that cannot be read tells nothing about the route, and another generation tries it", async () => {
  const { hub, queue, begin, attempt, run, advance, upstream } = await open([{}]);
  upstream.respond = () => refusedBecause("capacity");
  await run(await queue());
  advance(10);
  const [unreadable, next] = [await queue(), await queue()];
  upstream.respond = () => ({
    ...refusedBecause("job"),
    error: { code: "input_unavailable", message: "No.", retryable: false },
  });
  expect([await begin(unreadable), await begin(next)]).toEqual(["running", "waiting"]);
  await attempt(unreadable);
  expect(hub.services.routeHealth.hasOpen()).toBe(true);
  expect(await begin(next)).toBe("running");
});

test("a job that was stopped for its customer shows that the route works again", async () => {
  const { hub, queue, begin, attempt, run, advance, upstream } = await open([{}]);
  upstream.respond = () => refusedBecause("capacity");
  await run(await queue());
  advance(10);
  const [stopped, next] = [await queue(), await queue()];
  expect([await begin(stopped), await begin(next)]).toEqual(["running", "waiting"]);
  upstream.respond = async () => {
    await requestCancel(hub, stopped);
    return refusedBecause("job", { started: "yes", stopped: "free" });
  };
  expect(await attempt(stopped)).toMatchObject({ next: "cancel" });
  expect(await begin(next)).toBe("running");
});

test("fails a generation that found no route for as long as it may run, and releases its hold", async () => {
  const { hub, queue, begin, run, statusOf, advance, upstream } = await open([{}]);
  upstream.respond = () => refusedBecause("account");
  await run(await queue());
  const id = await queue();
  expect(await begin(id)).toBe("waiting");
  advance(600);
  await failWaitingTooLong(hub);
  expect(await statusOf(id)).toBe("queued");
  advance(1);
  await failWaitingTooLong(hub);
  expect(await statusOf(id)).toBe("failed");
  const [row] = await hub.db.query("SELECT error ->> 'code' AS code, billed_cost FROM generation WHERE id = $1", [id]);
  expect(row).toEqual({ code: "provider_refused", billed_cost: null });
});

test("waits up to a day for a place at a provider", async () => {
  const { hub, queue, begin, run, statusOf, advance } = await open([{ limits: { maxInFlight: 1 } }]);
  await run(await queue());
  const id = await queue();
  await begin(id);
  advance(86_400);
  await begin(id);
  await failWaitingTooLong(hub);
  expect(await statusOf(id)).toBe("queued");
  advance(1);
  await begin(id);
  await failWaitingTooLong(hub);
  expect(await statusOf(id)).toBe("failed");
});

test("tries the cheapest route for the input first; one without a price counts with that of the model", async () => {
  const { hub, account, begin, attempt, upstream } = await open([]);
  const large = { match: { size: "large" }, upstreamModel: null, priceUsd: 1_000_000n };
  hub.catalogue = routedCatalogue(
    [
      { provider: "unpriced" },
      { provider: "dear", priceUsd: 20_000_000n, when: [large] },
      { provider: "cheap", priceUsd: 3_000_000n },
      { provider: "equal", priceUsd: 3_000_000n },
    ],
    "cheapest",
  );
  upstream.respond = () => refusedBecause("job");
  const order = async (input: Record<string, unknown>) => {
    const id = await queueRouted(hub, account, input);
    await begin(id);
    for (const n of [1, 2, 3, 4]) await attempt(id, n);
    return upstream.submits.splice(0).map(({ route }) => route.provider.id);
  };
  expect(await order({})).toEqual(["cheap", "equal", "unpriced", "dear"]);
  expect(await order({ size: "large" })).toEqual(["dear", "cheap", "equal", "unpriced"]);
});

test("names the routes before the one that was tried, and why they were not", async () => {
  const { hub, queue, run, upstream } = await open([]);
  hub.catalogue = routedCatalogue([
    { provider: "keyless", limits: { missing: ["KEY"] } },
    { provider: "narrow", accepts: { size: [] }, defaults: { size: "small" } },
    { provider: "usable" },
    { provider: "later", limits: { missing: ["KEY"] } },
  ]);
  upstream.respond = () => refusedBecause("outage");
  const id = await queue();
  await run(id);
  expect(await listStoredAttempts(hub, id)).toMatchObject([
    { route: "usable:m", skipped: ["missing_key", "cannot_express"] },
  ]);
});

test("the plain path of an attempt is one statement", async () => {
  const { hub, queue, begin, attempt } = await open([{}]);
  const id = await queue();
  const statements: string[] = [];
  const { db } = hub;
  const query: Hub["db"]["query"] = (text, values) => {
    statements.push(text);
    return db.query(text, values);
  };
  hub.db = { ...db, query };
  await begin(id);
  expect(statements).toHaveLength(1);
  await attempt(id);
  expect(statements.filter((text) => text.includes("INSERT INTO attempt"))).toHaveLength(1);
  expect(statements.filter((text) => /route_wait|provider_spending|advisory/.test(text))).toEqual([]);
});
