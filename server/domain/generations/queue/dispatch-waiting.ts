import type { Catalogue } from "../../../catalogue/model";
import type { Queryable } from "../../../db/client";
import { getLimitedProviders } from "../../routing";
import type { QueueHub } from "./hub";
import { findProviderUse, withProviderLock } from "./provider-capacity";
import { findAwaited, type RouteWait, wakeWaiting, type WokenGeneration } from "./route-waits";

const MAX_WOKEN = 200;
const BUDGET_CHECK_MS = 600_000;
/** How long others wait for the generation that is dispatched to try a route again. */
const TRIAL_ARRIVAL_SECONDS = 2;

/**
 * Dispatches the generations that wait for a route that can be tried now: as many as a provider has places for, one for a
 * route whose breaker may close, otherwise at most 200. All of them try again once the catalogue gives their models another
 * route.
 */
export async function dispatchWaiting(hub: QueueHub): Promise<void> {
  const { routeWaits } = hub.services;
  const { catalogue } = hub;
  const { recorded, catalogue: before = catalogue } = routeWaits;
  const awaited = await findAwaited(hub);
  // A wait that was recorded meanwhile may be missing here.
  routeWaits.exist = awaited.length > 0 || routeWaits.recorded > recorded;
  const renewed = findRenewed(catalogue, before);
  for (const wait of awaited) {
    const isRenewed = renewed.has(wait.awaits);
    publishWoken(hub, await (isRenewed ? wakeWaiting(hub, hub.db, wait, Number.MAX_SAFE_INTEGER) : wake(hub, wait)));
  }
  routeWaits.catalogue = catalogue;
}

/**
 * Dispatches generations in the background for the places that have become free at a provider. Never throws: `dispatchWaiting`
 * repeats it.
 */
export function dispatchForProvider(hub: QueueHub, providerId: string): void {
  wake(hub, { awaits: providerId, reason: "at_capacity" }).then(
    (woken) => publishWoken(hub, woken),
    (error: unknown) => hub.log.warn({ err: error, provider: providerId }, "waiting generations not dispatched"),
  );
}

/**
 * Returns what generations may wait for, routes and providers, of which the model has got another route since the catalogue
 * `before`.
 */
function findRenewed(catalogue: Catalogue, before: Catalogue): Set<string> {
  const renewed = new Set<string>();
  if (catalogue === before) return renewed;
  for (const { id, routes } of catalogue.values()) {
    const old = before.get(id)?.routes ?? [];
    if (routes.every((route) => old.some((other) => other.id === route.id))) continue;
    for (const route of old) renewed.add(route.id).add(route.provider.id);
  }
  return renewed;
}

async function wake(hub: QueueHub, wait: RouteWait): Promise<WokenGeneration[]> {
  const limits = getLimitedProviders(hub.catalogue).get(wait.awaits);
  if (wait.reason === "cooling_down") return wakeForRoute(hub, wait);
  if (wait.reason === "over_budget") {
    const isLimited = limits !== undefined && limits.spendLimitPerDay !== null;
    return wakeWaiting(hub, hub.db, wait, MAX_WOKEN, isLimited ? lastBudgetCheck(hub) : undefined);
  }
  if (!limits) return wakeWaiting(hub, hub.db, wait, MAX_WOKEN);
  const countFree = async (db: Queryable) => {
    const { places, arriving } = await findProviderUse(hub, db, limits, null);
    return Math.min(MAX_WOKEN, places - arriving);
  };
  // First without the lock, because most providers are full. With it, two calls do not wake generations for one place.
  if ((await countFree(hub.db)) <= 0) return [];
  return withProviderLock(hub, limits, async (tx) => {
    const free = await countFree(tx);
    return free > 0 ? wakeWaiting(hub, tx, wait, free) : [];
  });
}

/**
 * Returns the time since which a check counts as recent for generations that wait for a budget: midnight (UTC) or ten minutes
 * ago, whichever is later.
 */
function lastBudgetCheck(hub: QueueHub): Date {
  const now = hub.now();
  const midnight = new Date(now).setUTCHours(0, 0, 0, 0);
  return new Date(Math.max(midnight, now.getTime() - BUDGET_CHECK_MS));
}

async function wakeForRoute(hub: QueueHub, wait: RouteWait): Promise<WokenGeneration[]> {
  const { routeHealth } = hub.services;
  const state = routeHealth.check(wait.awaits, "");
  if (state === "usable") return wakeWaiting(hub, hub.db, wait, MAX_WOKEN);
  if (state !== "trial") return [];
  const woken = await wakeWaiting(hub, hub.db, wait, 1);
  for (const { id } of woken) routeHealth.beginTrial(wait.awaits, id, TRIAL_ARRIVAL_SECONDS);
  return woken;
}

function publishWoken(hub: QueueHub, woken: WokenGeneration[]): void {
  for (const { id, account_id, status } of woken) {
    if (status === "queued") hub.publish({ name: "generation/queued", data: { id, account: account_id } });
    else hub.publish({ name: "generation/dispatched", data: { id } });
  }
}
