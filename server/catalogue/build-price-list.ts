import type { TokenPriceList, TokenPrices } from "./pricing";
import type { TokenPriceListEntry, TokenPricesEntry } from "./shape-tokens";
import { optionalTokenClasses } from "./token-classes";

/** Returns what tokens cost. */
export const buildPriceList = (entry: TokenPriceListEntry): TokenPriceList => ({
  perMillion: buildTokenPrices(entry),
  longContext: entry.long_context.map((prices) => ({ above: prices.above, perMillion: buildTokenPrices(prices) })),
  serviceTiers: entry.service_tiers,
});

function buildTokenPrices(entry: TokenPricesEntry): TokenPrices {
  const prices: TokenPrices = { input: entry.input_cost_per_million, output: entry.output_cost_per_million };
  for (const name of optionalTokenClasses) {
    const price = entry[`${name}_cost_per_million`];
    if (price !== undefined) prices[name] = price;
  }
  return prices;
}
