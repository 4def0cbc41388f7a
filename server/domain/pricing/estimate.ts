import { isDeepStrictEqual } from "node:util";
import { getDefaults } from "../../catalogue/defaults";
import type { Model, Tier } from "../../catalogue/model";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { inputPointer } from "../routing/pointer";
import { maxTokens } from "./max-tokens";
import type { Price } from "./price";
import { tierCost } from "./tier-cost";
import { tokenCost } from "./token-cost";

export interface Estimate {
  cost: Nano;
  price: Price;
}

/**
 * The most that this checked input can cost, in nano-euros rounded up once, and how that came about.
 * Throws 422 `no_route_available` when no tier of the model prices it.
 */
export function estimateCost(hub: Pick<Hub, "env">, model: Model, input: Record<string, unknown>): Estimate {
  const { pricing } = model;
  switch (pricing.by) {
    case "tier":
      return byTier(hub, findTier(model, pricing.tiers, input));
    case "gpu-second": {
      const { pricePerSecond, maxSeconds } = pricing;
      const price = { by: pricing.by, price_per_second: toEuros(pricePerSecond), most_seconds: maxSeconds };
      return { cost: pricePerSecond * BigInt(maxSeconds), price };
    }
    case "token": {
      const most = maxTokens(pricing, input);
      const price = {
        by: pricing.by,
        input_per_million: toEuros(pricing.inputPerMillion),
        output_per_million: toEuros(pricing.outputPerMillion),
        most_input_tokens: most.input,
        most_output_tokens: most.output,
      };
      return { cost: tokenCost(price, most), price };
    }
  }
}

const byTier = (hub: Pick<Hub, "env">, tier: Tier): Estimate => ({
  cost: tierCost(hub, tier),
  price: {
    by: "tier",
    match: tier.match,
    price_usd: toEuros(tier.priceUsd),
    eur_per_usd: toEuros(parseDecimal(hub.env.EUR_PER_USD)),
  },
});

function findTier(model: Model, tiers: Tier[], input: Record<string, unknown>): Tier {
  // What a customer leaves out is priced as what the schema puts in its place.
  const whole = { ...getDefaults(model.parametersSchema), ...input };
  const agrees = ({ match }: Tier) =>
    Object.entries(match).every(([name, value]) => Object.hasOwn(whole, name) && isDeepStrictEqual(whole[name], value));
  const tier = tiers.find(agrees);
  if (tier) return tier;
  const unrepresentable = [...new Set(tiers.flatMap(({ match }) => Object.keys(match)))].map(inputPointer);
  throw new AppError("no_route_available", `This model has no price for this ${unrepresentable.join(", ")}.`, {
    unrepresentable,
  });
}
