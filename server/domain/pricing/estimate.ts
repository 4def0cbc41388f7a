import { freezeBook } from "../../catalogue/frozen-book";
import { findTier } from "../../catalogue/match";
import { getDefaults } from "../../catalogue/subschemas";
import type { Model } from "../../catalogue/model";
import type { Pricing, Tier } from "../../catalogue/pricing";
import type { HubParts } from "../../context";
import { AppError } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { inputPointer } from "../routing";
import { estimateChat } from "../tokens";
import { measureQuantity } from "./measure-quantity";
import type { Price, TierPrice } from "./price";
import { maxCost } from "./cost";

export interface Estimate {
  cost: Nano;
  price: Price;
}

/**
 * Returns the maximum cost of a validated input, in nano-euros rounded up once, and the price behind it. Throws 422
 * `no_route_available` when no tier of the model matches.
 */
export function estimateCost(hub: Pick<HubParts, "env">, model: Model, input: Record<string, unknown>): Estimate {
  const { pricing } = model;
  switch (pricing.by) {
    case "tier":
      return estimateTier(hub, pricing, { ...getDefaults(model.parametersSchema), ...input });
    case "gpu-second": {
      const { pricePerSecond, maxSeconds } = pricing;
      const price = {
        by: pricing.by,
        price_per_second: toEuros(pricePerSecond),
        most_seconds: maxSeconds,
        ...freezeBook(pricing.book),
      };
      return { cost: maxCost(price), price };
    }
    case "token": {
      const { cost, price } = estimateChat(pricing, input);
      return { cost, price };
    }
  }
}

type TierPricing = Extract<Pricing, { by: "tier" }>;

/** Omitted parameters are priced with the schema's defaults, which `input` has. */
function estimateTier(hub: Pick<HubParts, "env">, pricing: TierPricing, input: Record<string, unknown>): Estimate {
  const { match, price } = requireTier(pricing.tiers, input);
  const frozen: TierPrice = {
    by: "tier",
    match,
    price_usd: toEuros(price.first),
    eur_per_usd: toEuros(parseDecimal(hub.env.EUR_PER_USD)),
    ...(pricing.unit && { unit: pricing.unit, ...measureQuantity(pricing.quantity, input) }),
    ...(price.next !== price.first && { next_price_usd: toEuros(price.next) }),
    ...freezeBook(pricing.book),
  };
  return { cost: maxCost(frozen), price: frozen };
}

function requireTier(tiers: Tier[], input: Record<string, unknown>): Tier {
  const tier = findTier(tiers, input);
  if (tier) return tier;
  const unrepresentable = [...new Set(tiers.flatMap(({ match }) => Object.keys(match)))].map(inputPointer);
  throw new AppError("no_route_available", `This model has no price for this ${unrepresentable.join(", ")}.`, {
    unrepresentable,
  });
}
