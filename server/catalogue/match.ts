import { isDeepStrictEqual } from "node:util";
import type { Route } from "./model";
import type { Match, Tier, UnitPrice } from "./pricing";

/** Words of a match that stand for whether a parameter is given. */
export const presenceWords: readonly unknown[] = ["present", "absent"];

/** Returns whether an input, completed with the defaults of its schema, has the values of a match. */
export const isMatch = (match: Match, input: Record<string, unknown>): boolean =>
  Object.entries(match).every(([name, expected]) => {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (presenceWords.includes(expected)) return isPresent(value) === (expected === "present");
    return value !== undefined && isDeepStrictEqual(value, expected);
  });

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Returns the tier that prices an input completed with defaults. */
export const findTier = (tiers: Tier[], input: Record<string, unknown>): Tier | undefined =>
  tiers.find(({ match }) => isMatch(match, input));

/**
 * Returns what the provider of a route takes for a unit, for an input completed with defaults: the route's own price,
 * otherwise the model's before the margin. Null when neither is known; the hub's own kinds take nothing.
 */
export function findRoutePrice(
  { when, priceUsd, provider }: Pick<Route, "when" | "priceUsd" | "provider">,
  tiers: Tier[],
  input: Record<string, unknown>,
): UnitPrice | null {
  const own = when.find((one) => one.priceUsd !== null && isMatch(one.match, input))?.priceUsd ?? priceUsd;
  if (own !== null) return { first: own, next: own };
  if (provider.kind === "sandbox" || provider.kind === "worker") return null;
  return findTier(tiers, input)?.cost ?? null;
}
