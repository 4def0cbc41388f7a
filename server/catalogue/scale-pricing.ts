import type { Nano } from "../lib/money";
import type { Pricing, TokenPrices, UnitPrice } from "./pricing";
import { mapNames, optionalTokenClasses } from "./token-classes";

/** Returns a price whose amounts are changed by `scale`; factors, such as those of tiers of service, stay. */
export function scalePricing(pricing: Pricing, scale: (amount: Nano) => Nano): Pricing {
  switch (pricing.by) {
    case "tier": {
      const scaleUnit = ({ first, next }: UnitPrice): UnitPrice => ({ first: scale(first), next: scale(next) });
      return { ...pricing, tiers: pricing.tiers.map((tier) => ({ ...tier, price: scaleUnit(tier.price) })) };
    }
    case "token": {
      const scaleTokens = (prices: TokenPrices): TokenPrices => ({
        ...mapNames(
          optionalTokenClasses.filter((name) => prices[name] !== undefined),
          "",
          (name) => scale(prices[name]!),
        ),
        input: scale(prices.input),
        output: scale(prices.output),
      });
      return {
        ...pricing,
        perMillion: scaleTokens(pricing.perMillion),
        longContext: pricing.longContext.map(({ above, perMillion }) => ({
          above,
          perMillion: scaleTokens(perMillion),
        })),
      };
    }
    case "gpu-second":
      return { ...pricing, pricePerSecond: scale(pricing.pricePerSecond) };
  }
}
