import { isDeepStrictEqual } from "node:util";
import { getDefaults } from "../../catalogue/parameters-schema";
import type { Model, Tier } from "../../catalogue/model";
import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { inputPointer } from "../routing/route-parameters";
import { maxTokens } from "./max-tokens";
import type { Price } from "./price";
import { tierCost, tokenCost } from "./cost";

export interface Estimate {
  cost: Nano;
  price: Price;
}

/**
 * Returns the maximum cost of a validated input, in nano-euros rounded up once, and the price behind it. Throws 422
 * `no_route_available` when no tier of the model matches.
 */
export function estimateCost(hub: Pick<Hub, "env">, model: Model, input: Record<string, unknown>): Estimate {
  const { pricing } = model;
  switch (pricing.by) {
    case "tier":
      return estimateTier(hub, findTier(model, pricing.tiers, input));
    case "gpu-second": {
      const { pricePerSecond, maxSeconds } = pricing;
      const price = { by: pricing.by, price_per_second: toEuros(pricePerSecond), most_seconds: maxSeconds };
      return { cost: pricePerSecond * BigInt(maxSeconds), price };
    }
    case "token": {
      const tokens = maxTokens(pricing, input);
      const price = {
        by: pricing.by,
        input_per_million: toEuros(pricing.inputPerMillion),
        output_per_million: toEuros(pricing.outputPerMillion),
        most_input_tokens: tokens.input,
        most_output_tokens: tokens.output,
      };
      return { cost: tokenCost(price, tokens), price };
    }
  }
}

const estimateTier = (hub: Pick<Hub, "env">, tier: Tier): Estimate => ({
  cost: tierCost(hub, tier),
  price: {
    by: "tier",
    match: tier.match,
    price_usd: toEuros(tier.priceUsd),
    eur_per_usd: toEuros(parseDecimal(hub.env.EUR_PER_USD)),
  },
});

function findTier(model: Model, tiers: Tier[], input: Record<string, unknown>): Tier {
  // Omitted parameters are priced with the schema's defaults.
  const completed = { ...getDefaults(model.parametersSchema), ...input };
  const isMatch = ({ match }: Tier) =>
    Object.entries(match).every(
      ([name, value]) => Object.hasOwn(completed, name) && isDeepStrictEqual(completed[name], value),
    );
  const tier = tiers.find(isMatch);
  if (tier) return tier;
  const unrepresentable = [...new Set(tiers.flatMap(({ match }) => Object.keys(match)))].map(inputPointer);
  throw new AppError("no_route_available", `This model has no price for this ${unrepresentable.join(", ")}.`, {
    unrepresentable,
  });
}
