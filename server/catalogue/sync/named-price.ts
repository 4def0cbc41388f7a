import type { Nano } from "../../lib/money";
import type { TokenPriceList } from "../pricing";
import type { TokenClass } from "../token-classes";

/** What has a price: a class of tokens above a length (null for shorter prompts), or a service tier. */
export type Priced = { class: TokenClass; above: number | null } | { tier: string };

/** Returns the price that a list names, or the factor of a tier; undefined if it names none. */
export function findNamedPrice(
  { perMillion, longContext, serviceTiers }: TokenPriceList,
  priced: Priced,
): Nano | undefined {
  if ("tier" in priced) return Object.hasOwn(serviceTiers, priced.tier) ? serviceTiers[priced.tier] : undefined;
  const prices =
    priced.above === null ? perMillion : longContext.find(({ above }) => above === priced.above)?.perMillion;
  return prices?.[priced.class];
}

/** Returns the price that a list names; for a length that it does not name, the price at the longest shorter one. */
export function findListedPrice(list: TokenPriceList, priced: Priced): Nano | undefined {
  const named = findNamedPrice(list, priced);
  if (named !== undefined || "tier" in priced || priced.above === null) return named;
  const { above } = priced;
  const shorter = list.longContext.findLast((entry) => entry.above < above)?.above ?? null;
  return findListedPrice(list, { ...priced, above: shorter });
}
