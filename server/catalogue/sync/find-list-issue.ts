import { formatDecimal, type Nano } from "../../lib/money";
import { formatPath } from "../catalogue-error";
import { checkLengths, checkTokenPrices } from "../check-token-prices";
import type { TokenPriceList, TokenPrices } from "../pricing";
import { TokenPriceList as TokenPriceListShape } from "../shape-tokens";
import { tokenClassNames } from "../token-classes";

/**
 * Returns why a catalogue could not have these prices, e.g. because the list lacks one that is required; null if it can. What
 * a route costs may lack more than what customers pay.
 */
export function findListIssue(
  { perMillion, longContext, serviceTiers }: TokenPriceList,
  isCost: boolean,
): string | null {
  const check = isCost ? checkLengths : checkTokenPrices;
  const entry = {
    ...toEntry(perMillion, formatDecimal),
    long_context: longContext.map((prices) => ({ above: prices.above, ...toEntry(prices.perMillion, formatDecimal) })),
    service_tiers: Object.fromEntries(
      Object.entries(serviceTiers).map(([tier, factor]) => [tier, formatDecimal(factor)]),
    ),
  };
  const issues =
    TokenPriceListShape.safeParse(entry).error?.issues.map(({ path, message }) => describe(path, message)) ?? [];
  check(entry, (path, message) => issues.push(describe(path, message)));
  return issues[0] ?? null;
}

const describe = (path: PropertyKey[], message: string) => `${formatPath(path as (string | number)[])} ${message}`;

/** Returns prices as the settings of a catalogue. */
export const toEntry = <Value>(prices: TokenPrices, toValue: (price: Nano) => Value): Record<string, Value> =>
  Object.fromEntries(
    tokenClassNames.flatMap((name) =>
      prices[name] === undefined ? [] : [[`${name}_cost_per_million`, toValue(prices[name])]],
    ),
  );
