import { frozenFactor } from "../../catalogue/frozen-book";
import { sumTokens, tokenClasses, tokenClassNames } from "../../catalogue/token-classes";
import { divCeil, type Nano, NANO_PER_UNIT as NANO, parseDecimal } from "../../lib/money";
import type { FrozenTokenPrices, TokenPrice } from "./token-price";
import type { TokenUsage } from "./token-usage";

/**
 * Returns the cost of a chat's tokens, in nano-euros rounded up once. The length of the input decides the price of every
 * token, and the tier that served the chat its multiplier.
 */
export function tokenCost(price: FrozenTokenPrices, { tokens, serviceTier }: TokenUsage): Nano {
  const input = sumTokens(tokens, "input");
  const prices = price.long_context?.findLast(({ above }) => input > above) ?? price;
  let total = 0n;
  for (const name of tokenClassNames) {
    const count = tokens[name];
    if (!count) continue;
    const perMillion = prices[`${name}_per_million`] ?? prices[`${tokenClasses[name].within}_per_million`];
    total += parseDecimal(perMillion) * BigInt(count);
  }
  const multiplier = (serviceTier === null ? undefined : findMultiplier(price, serviceTier)) ?? 1;
  return divCeil(total * parseDecimal(multiplier) * frozenFactor(price), 1_000_000n * NANO * NANO);
}

/** Returns what is charged for tokens of this cost: at most the hold, less what was paid already. */
export function chargeFor({ already_paid: paid = 0 }: TokenPrice, hold: Nano, cost: Nano): Nano {
  const charged = (cost < hold ? cost : hold) - BigInt(paid);
  return charged > 0n ? charged : 0n;
}

/** Returns what a tier of service multiplies prices by; undefined for one that costs the default price. */
export const findMultiplier = ({ service_tiers: tiers }: FrozenTokenPrices, tier: string): number | undefined =>
  tiers && Object.hasOwn(tiers, tier) ? tiers[tier] : undefined;
