import type { Queryable } from "../../../db/client";
import type { Nano } from "../../../lib/money";
import type { AttemptRow, Run } from "../attempts";
import type { Generation } from "../row";
import { clearWaits, findObstacle, findProviderUse, withProviderLock, type WaitReason } from "../queue";
import { routeCost } from "../../pricing";
import { claimTrial, getLimitedProviders, hasLimits } from "../../routing";
import type { RunHub } from "./hub";
import { insertLimitedAttempt, openAttempt } from "./open-attempt";
import type { Candidate } from "./choose-route";

/**
 * Returns whether generations may have to wait for a route: some provider has limits, some route cools down, or some
 * generation waits already. Otherwise runs need no additional statement.
 */
export const holdsBack = ({ catalogue, services }: RunHub): boolean =>
  getLimitedProviders(catalogue).size > 0 || services.routeHealth.hasOpen() || services.routeWaits.exist;

/**
 * Opens an attempt on a route, like `openAttempt`, if its provider has a place for it and no other generation is trying
 * whether the route works again; otherwise returns what to wait for.
 */
export async function openOnRoute(
  hub: RunHub,
  run: Run,
  generation: Generation,
  { n, submitMs, candidate }: { n: number; submitMs: number; candidate: Candidate },
): Promise<{ attempt: AttemptRow | null } | WaitReason> {
  const { route, reason, passedOver, isTrial } = candidate;
  const attempt = { n, route, reason, submitMs, passedOver };
  if (hasLimits(route.provider))
    return withPlace(hub, generation, candidate, async (tx, cost) => {
      await clearWaits(hub, tx, generation.id);
      return { attempt: await insertLimitedAttempt(hub, tx, run, { ...attempt, cost, reserved: false }) };
    });
  if (isTrial && !(await claimTrial(hub, hub.db, route, generation.id))) return "cooling_down";
  await clearWaits(hub, hub.db, generation.id);
  return { attempt: await openAttempt(hub, run, attempt) };
}

/**
 * Calls `work` in a transaction that has found a free place at a provider with limits, which no other can take before it
 * ends. `cost` is what the attempt counts towards the spend limit. Returns what to wait for if there is no place.
 */
export async function withPlace<T extends object>(
  hub: RunHub,
  generation: Generation,
  { route, isTrial }: Candidate,
  work: (tx: Queryable, cost: Nano | null) => Promise<T>,
): Promise<T | WaitReason> {
  const { provider } = route;
  const price = () => routeCost(hub, { route, state: {}, attempt: { cost: null }, generation }) ?? 0n;
  const cost = provider.spendLimitPerDay === null ? null : price();
  const check = async (db: Queryable) => findObstacle(await findProviderUse(hub, db, provider, generation.id), cost);
  // First without the lock, because most generations that come to a full provider find it full.
  const obstacle = await check(hub.db);
  if (obstacle) return obstacle;
  return withProviderLock(hub, provider, async (tx) => {
    const taken = await check(tx);
    if (taken) return taken;
    if (isTrial && !(await claimTrial(hub, tx, route, generation.id))) return "cooling_down";
    return work(tx, cost);
  });
}
