import type { Model } from "../../catalogue/model";
import type { Hub } from "../../context";
import { toEuros } from "../../lib/money";
import { tierCost } from "../pricing/tier-cost";

/** What a model costs in EUR at today's rate: by tier, for a million tokens, or for a second of GPU time. */
export function pricesOf(hub: Pick<Hub, "env">, { pricing }: Model) {
  switch (pricing.by) {
    case "tier": {
      const tiers = pricing.tiers.map((tier) => ({ match: tier.match, euros: toEuros(tierCost(hub, tier)) }));
      return { by: pricing.by, tiers };
    }
    case "token":
      return { by: pricing.by, input: toEuros(pricing.inputPerMillion), output: toEuros(pricing.outputPerMillion) };
    case "gpu-second":
      return { by: pricing.by, euros: toEuros(pricing.pricePerSecond), most_seconds: pricing.maxSeconds };
  }
}
