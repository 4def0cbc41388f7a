import { mulCeil, type Nano } from "../../lib/money";
import type { Model } from "../model";
import { tokenClasses, tokenClassNames } from "../token-classes";
import { compareModel, type ListedRoute, type PriceUpdate, type Rates } from "./compare-model";
import { findListIssue } from "./find-list-issue";
import { listChanges, type PriceChange } from "./list-changes";
import { findListedPrices } from "./listed-prices";
import { findListedPrice, type Priced } from "./named-price";
import type { Entry } from "./pick-entries";

/** A change of a price with what the list says. */
export interface PriceRow extends PriceChange {
  /** The id of the route whose cost it is; null for the price that customers pay. */
  route: string | null;
  /** The entry of the list. */
  source: string;
  /** What the provider charges, in USD per million tokens; null for a service tier. */
  listed: Nano | null;
  /** What is charged, divided by what the list says; null for costs and tiers, and where the provider charges nothing. */
  margin: { now: number; then: number } | null;
}

interface SyncIssue {
  /** The end of a sentence about the model. */
  message: string;
  /** Whether the changes can be applied if somebody names the model. */
  isLarge: boolean;
}

/** What a list changes of a model. */
export interface ModelSync {
  model: string;
  rows: PriceRow[];
  /** Classes whose prices stay, because the list has none. */
  unlisted: string[];
  /** Why the changes are not applied; null if they can be. */
  issue: SyncIssue | null;
  updates: PriceUpdate[];
}

export interface SyncOptions extends Rates {
  /**
   * Ids of the models to compare, however large the changes. Null compares all, and changes above `maxChange` are then an issue.
   */
  models: string[] | null;
  /** Percent. */
  maxChange: number;
}

/**
 * Compares a model with the entries of a list. Returns null if it is not priced by tokens, or the list has none of its
 * routes.
 */
export function syncModel(
  { id, pricing, routes }: Model,
  entries: ReadonlyMap<string, Entry>,
  options: SyncOptions,
): ModelSync | null {
  if (pricing.by !== "token") return null;
  const listed = routes.map((route) => ({ route, listed: findListedPrices(route, entries) }));
  if (listed.every((one) => one.listed === null)) return null;
  const updates = compareModel(pricing, listed, options);
  const rows = updates.flatMap((update) => describeUpdate(update, listed, options));
  const names = tokenClassNames.filter((name) => pricing.perMillion[name] !== undefined);
  const unlisted = names.filter((name) => findDearest(listed, { class: name, above: null }) === null);
  const issue = findInvalid(updates) ?? (options.models ? null : findLarge(rows, options.maxChange));
  return { model: id, rows, unlisted: unlisted.map((name) => tokenClasses[name].label), issue, updates };
}

function describeUpdate({ route: index, now, then }: PriceUpdate, routes: ListedRoute[], rates: Rates): PriceRow[] {
  const listed = index === null ? routes : [routes[index]!];
  return listChanges(now, then).map((change) => {
    // Only what the list has can change.
    const { source, price } = findDearest(listed, change.priced)!;
    const isTier = "tier" in change.priced;
    const cost = index === null && !isTier ? mulCeil(price, rates.eurPerUsd) : 0n;
    return {
      ...change,
      route: index === null ? null : routes[index]!.route.id,
      source,
      listed: isTier ? null : price,
      margin: cost === 0n ? null : { now: divide(change.charged, cost), then: divide(change.then, cost) },
    };
  });
}

/** Returns a ratio with three decimal places. */
const divide = (price: Nano, cost: Nano): number => Number((price * 1_000n) / cost) / 1_000;

/** Returns the highest price that the list has for the routes, with its entry; null if it has none. */
function findDearest(routes: ListedRoute[], priced: Priced): { source: string; price: Nano } | null {
  let dearest: { source: string; price: Nano } | null = null;
  for (const { listed } of routes) {
    const price = listed ? findListedPrice(listed, priced) : undefined;
    if (price !== undefined && (dearest === null || price > dearest.price)) dearest = { source: listed!.source, price };
  }
  return dearest;
}

function findInvalid(updates: PriceUpdate[]): SyncIssue | null {
  const message = updates.map(({ route, then }) => findListIssue(then, route !== null)).find((issue) => issue !== null);
  return message ? { message: `would be invalid: ${message}`, isLarge: false } : null;
}

function findLarge(rows: PriceRow[], maxChange: number): SyncIssue | null {
  const most = Math.max(0, ...rows.map(({ percent }) => (percent === null ? Infinity : Math.abs(percent))));
  if (most <= maxChange) return null;
  const message = most === Infinity ? "has a price that was 0" : `changes by ${most}%, more than ${maxChange}%`;
  return { message, isLarge: true };
}
