import type { Nano } from "../lib/money";
import type { TokenPriceList } from "./pricing";
import { type TokenClass, tokenClasses } from "./token-classes";

/** Returns what a million tokens of a class cost in a request of this many input tokens, in the default service tier. */
export function findTokenPrice(
  { perMillion, longContext }: Pick<TokenPriceList, "perMillion" | "longContext">,
  name: TokenClass,
  length: number,
): Nano {
  const prices = longContext.findLast(({ above }) => length > above)?.perMillion ?? perMillion;
  return prices[name] ?? prices[tokenClasses[name].within];
}
