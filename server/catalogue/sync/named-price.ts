import type { Nano } from "../../lib/money";
import type { TokenPriceList } from "../pricing";
import type { TokenClass } from "../token-classes";

/** What has a price: a class of tokens above a length (null for shorter prompts), or a tier of service. */
export type Priced = { class: TokenClass; above: number | null } | { tier: string };

/** Returns the price that a list names, of a tier what it multiplies by; undefined where it names none. */
export function findNamedPrice(
  { perMillion, longContext, serviceTiers }: TokenPriceList,
  of: Priced,
): Nano | undefined {
  if ("tier" in of) return Object.hasOwn(serviceTiers, of.tier) ? serviceTiers[of.tier] : undefined;
  const prices = of.above === null ? perMillion : longContext.find(({ above }) => above === of.above)?.perMillion;
  return prices?.[of.class];
}
