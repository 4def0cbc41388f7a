import { afterEach, expect, test } from "vitest";
import { deriveHub } from "../../../test/derive-hub";
import { testHub } from "../../../test/hub";
import { refusedBecause, routeAt, routedCatalogue } from "../../../test/routed-hub";
import type { Hub } from "../hub";
import { newId } from "../../lib/id";
import type { FailureCause } from "../../providers/failure";
import { followRouting } from "../../process/notifications";
import { pullBackTimes } from "../generations/run";
import { claimTrial, releaseTrial, restoreRouteHealth } from "./stored-route-health";

const base = await testHub();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

let suites = 0;

/** Opens two processes on one database, with one clock that only moves on command. */
function open() {
  const provider = `provider-${(suites += 1)}`;
  let now = Date.UTC(2026, 10, 22, 12);
  const warnings: unknown[] = [];
  const log = Object.assign(Object.create(base.log) as Hub["log"], {
    warn: (details: unknown) => void warnings.push(details),
  });
  const changes = { now: () => new Date(now), catalogue: routedCatalogue([{ provider }]), log };
  const [hub, other] = [deriveHub(base, changes), deriveHub(base, changes)];
  const route = routeAt(hub, provider);
  const fail = (cause: FailureCause, more = {}, startedAt = hub.now()) =>
    hub.services.routeHealth.recordFailure(route, refusedBecause(cause, more), startedAt);
  const stored = async () =>
    (await hub.db.query<Record<string, unknown>>("SELECT * FROM route_health WHERE route = $1", [route.id]))[0];
  return {
    hub,
    other,
    route,
    warnings,
    fail,
    stored,
    advance: (seconds: number) => void (now += seconds * 1000),
    check: (of: Hub = hub, id = "a") => of.services.routeHealth.check(route.id, id),
    succeed: (startedAt = hub.now()) => hub.services.routeHealth.recordSuccess(route, startedAt),
  };
}

const failTimes = (count: number, fail: () => void) => Array.from({ length: count }, fail);

test("opens after three outages within a minute, and not after three in a longer time", () => {
  const { check, fail, advance } = open();
  fail("outage");
  advance(59);
  fail("outage");
  advance(2);
  fail("outage");
  expect(check()).toBe("usable");
  advance(50);
  fail("outage");
  expect(check()).toEqual({ waitSeconds: 30 });
});

test("doubles its time with each failed trial, up to ten minutes, and begins anew after a success", () => {
  const { check, fail, advance, succeed } = open();
  failTimes(3, () => fail("outage"));
  const waits: number[] = [];
  for (let trial = 0; trial < 7; trial += 1) {
    const state = check();
    if (typeof state !== "object") throw new Error("was not open");
    waits.push(state.waitSeconds);
    advance(state.waitSeconds);
    expect(check()).toBe("trial");
    fail("outage");
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600]);
  advance(600);
  succeed();
  expect(check()).toBe("usable");
  failTimes(3, () => fail("outage"));
  expect(check()).toEqual({ waitSeconds: 30 });
});

test.each([
  ["before it opened", 1],
  ["in the millisecond in which it opened", 0],
])("attempts that began %s neither lengthen its time nor close it", (_, seconds) => {
  const { hub, check, fail, advance, succeed } = open();
  const before = hub.now();
  advance(seconds);
  failTimes(20, () => fail("outage", {}, before));
  expect(check()).toEqual({ waitSeconds: 30 });
  succeed(before);
  fail("job", {}, before);
  expect(check()).toEqual({ waitSeconds: 30 });
  advance(31);
  fail("outage", {}, before);
  expect(check()).toBe("trial");
});

test("a wrong key, credit or model opens it at once for five minutes, with one warning", () => {
  const { check, fail, advance, warnings, route } = open();
  fail("account", { upstreamStatus: 401 });
  expect(check()).toEqual({ waitSeconds: 300 });
  advance(300);
  fail("account", { upstreamStatus: 401 });
  expect(check()).toEqual({ waitSeconds: 300 });
  expect(warnings).toMatchObject([{ route: route.id, status: 401, reason: "account" }]);
});

test.each([
  [7, 7],
  [undefined, 10],
])("a full provider that says to retry after %s seconds opens it for %i", (retryAfter, seconds) => {
  const { check, fail } = open();
  fail("capacity", { retryAfter });
  expect(check()).toEqual({ waitSeconds: seconds });
});

test("failures that are due to the job never open it, and close it when it is tried", () => {
  const { check, fail, advance } = open();
  failTimes(10, () => fail("job"));
  expect(check()).toBe("usable");
  fail("capacity");
  advance(10);
  fail("job");
  expect(check()).toBe("usable");
});

test("one generation of all processes tries a route whose time is over; the others wait", async () => {
  const { hub, other, route, check, fail, advance, stored } = open();
  fail("capacity");
  await expect.poll(stored).toMatchObject({ reason: "capacity" });
  await restoreRouteHealth(other, route.id);
  expect(await claimTrial(hub, hub.db, route, newId())).toBe(false);
  advance(10);
  const ids = Array.from({ length: 40 }, newId);
  const claims = await Promise.all(
    ids.map((id, index) => {
      const at = index % 2 === 0 ? hub : other;
      return claimTrial(at, at.db, route, id);
    }),
  );
  expect(claims.filter(Boolean)).toEqual([true]);
  const winner = ids[claims.indexOf(true)]!;
  const states = [hub, other].flatMap((at) => ids.map((id) => check(at, id)));
  expect(states.filter((state) => state === "trial").length).toBeLessThanOrEqual(1);
  expect(await claimTrial(hub, hub.db, route, winner)).toBe(true);
  expect(check(hub, winner)).toBe("trial");
});

test("a trial that is released, or tells nothing for five minutes, is followed by another", async () => {
  const { hub, route, check, fail, advance, stored } = open();
  fail("capacity");
  await expect.poll(stored).toMatchObject({ reason: "capacity" });
  advance(10);
  const [a, b, c] = [newId(), newId(), newId()];
  expect(await claimTrial(hub, hub.db, route, a)).toBe(true);
  expect(check(hub, b)).toEqual({ waitSeconds: 2 });
  await releaseTrial(hub, hub.db, route, a);
  expect(check(hub, b)).toBe("trial");
  expect(await claimTrial(hub, hub.db, route, b)).toBe(true);
  advance(299);
  expect(await claimTrial(hub, hub.db, route, c)).toBe(false);
  advance(1);
  expect(await claimTrial(hub, hub.db, route, c)).toBe(true);
});

test("processes learn from each other, and a new one at its start", async () => {
  const { hub, other, route, check, fail, advance, succeed, stored } = open();
  stops.push(followRouting(other, base.databaseUrl));
  const listening = () =>
    base.db.query(
      "SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database()",
    );
  await expect.poll(async () => (await listening()).length).toBe(1);

  fail("account");
  await expect.poll(() => check(other)).toEqual({ waitSeconds: 300 });
  const started = deriveHub(other);
  await restoreRouteHealth(started, null);
  expect(check(started)).toEqual({ waitSeconds: 300 });
  advance(300);
  succeed();
  await expect.poll(() => check(other)).toBe("usable");
  expect(await stored()).toMatchObject({ openings: 0, open_until: null, reason: null });
  // What was stored before is older than what the process knows.
  fail("account");
  hub.services.routeHealth.restore(route.id, { openedAt: null, openUntil: 0, openings: 0, reason: null }, new Date(0));
  expect(check()).toEqual({ waitSeconds: 300 });
});

test("a clock that goes back lengthens neither the time of a breaker nor a trial", async () => {
  const { hub, other, route, check, fail, succeed, advance, stored } = open();
  const pullBack = async () => {
    await pullBackTimes(hub);
    for (const at of [hub, other]) await restoreRouteHealth(at, route.id);
  };
  fail("capacity", { retryAfter: 20 });
  await expect.poll(stored).toMatchObject({ reason: "capacity" });
  await restoreRouteHealth(other, route.id);
  advance(-3600);
  await pullBack();
  expect([check(), check(other)]).toEqual([{ waitSeconds: 20 }, { waitSeconds: 20 }]);
  advance(3600);
  expect(await claimTrial(hub, hub.db, route, newId())).toBe(true);
  advance(-3000);
  await pullBack();
  expect([check(), check(other)]).toEqual(["trial", "trial"]);
  succeed();
  expect(check()).toBe("usable");
  await expect.poll(stored).toMatchObject({ openings: 0, open_until: null, reason: null });
});

test("stores the last success, at most one a minute, and the last failure in the hub's words", async () => {
  const { hub, fail, advance, succeed, stored } = open();
  const first = hub.now();
  succeed();
  await expect.poll(stored).toMatchObject({ last_success_at: first, last_failure_at: null });
  advance(59);
  succeed();
  fail("outage");
  await expect.poll(stored).toMatchObject({ last_failure_at: hub.now(), last_error: "refused: outage" });
  expect(await stored()).toMatchObject({ last_success_at: first, opened_at: null });
  advance(1);
  succeed();
  await expect.poll(stored).toMatchObject({ last_success_at: hub.now(), last_error: "refused: outage" });
});
