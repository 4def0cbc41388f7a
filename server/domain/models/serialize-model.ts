import type { Model, OfferedModel } from "../../catalogue/model";
import { mapNames, optionalTokenClasses, tokenClassNames } from "../../catalogue/token-classes";
import { factorOf } from "../../catalogue/frozen-book";
import type { Pricing, Tier, TokenPrices, TokenPricing } from "../../catalogue/pricing";
import { scalePricing } from "../../catalogue/scale-pricing";
import type { HubParts } from "../../context";
import { HUB_NAME } from "../../lib/hub-name";
import { mulCeil, type Nano, NANO_PER_UNIT, toEuros, toEurosOrNull } from "../../lib/money";
import { listPricedParameters, usdToEur } from "../pricing";

/** Returns the API representation of a model (specification, section 2.4). Tiers are in USD, everything else in EUR. */
export function serializeModel(model: OfferedModel) {
  const { supports } = model;
  const pricing = showPricing(model.pricing);
  const token = pricing.by === "token" ? pricing : null;
  return {
    id: model.id,
    // OpenAI clients expect these three members in a list of models.
    object: "model" as const,
    created: Math.floor(model.firstOfferedAt.getTime() / 1000),
    owned_by: HUB_NAME,
    name: model.name,
    description: model.description,
    input_modalities: model.inputModalities,
    output_modalities: model.outputModalities,
    currency: "EUR" as const,
    is_llm: model.isLlm,
    parameters_schema: model.parametersSchema,
    pricing_tiers: pricing.by === "tier" ? pricing.tiers.map(serializeTier) : null,
    ...(pricing.by === "tier" && pricing.unit && { unit: pricing.unit }),
    ...serializeTokenPrices(token && token.perMillion),
    ...serializeConditions(token),
    context_length: token && token.contextLength,
    max_output_tokens: token && token.maxOutputTokens,
    supports_vision: supports.vision,
    supports_tools: supports.tools,
    supports_structured_output: supports.structuredOutput,
    supports_reasoning: supports.reasoning,
    ...(pricing.by === "gpu-second" && { gpu_price_per_second: toEuros(pricing.pricePerSecond) }),
  };
}

/** Returns a price with the amounts that its account pays, rounded up to nine decimal places; charges are exact. */
function showPricing(pricing: Pricing): Pricing {
  const factor = factorOf(pricing.book);
  return factor === NANO_PER_UNIT ? pricing : scalePricing(pricing, (amount) => mulCeil(amount, factor));
}

/** Returns the conditions on which token prices depend, each null if there is none. */
function serializeConditions(token: TokenPricing | null) {
  const { longContext = [], serviceTiers = {}, writesImplicitly = false } = token ?? {};
  const lengths = longContext.map(({ above, perMillion }) => ({ above, ...serializeTokenPrices(perMillion) }));
  const tiers = mapNames(Object.keys(serviceTiers), "", (tier) => toEuros(serviceTiers[tier]!));
  return {
    long_context: lengths.length > 0 ? lengths : null,
    service_tiers: Object.keys(tiers).length > 0 ? tiers : null,
    implicit_cache_writes: writesImplicitly || null,
  };
}

const serializeTokenPrices = (prices: TokenPrices | null) =>
  mapNames(tokenClassNames, "_cost_per_million", (name) => toEurosOrNull(prices?.[name] ?? null));

const serializeTier = ({ match, price: { first, next } }: Tier) => ({
  match,
  price_usd: toEuros(first),
  ...(next !== first && { next_price_usd: toEuros(next) }),
});

const toTokenEuros = (prices: TokenPrices) => ({
  ...mapNames(optionalTokenClasses, "", (name) => toEurosOrNull(prices[name] ?? null)),
  input: toEuros(prices.input),
  output: toEuros(prices.output),
});

/**
 * Returns what a model costs in EUR at today's exchange rate: by tier, per million tokens, or per second of GPU time. The
 * names of `parameters` are those on which a price by tier depends.
 */
export function serializePrices(hub: Pick<HubParts, "env">, model: Model) {
  const pricing = showPricing(model.pricing);
  switch (pricing.by) {
    case "tier": {
      const toEur = (usd: Nano) => toEuros(usdToEur(hub, usd));
      const tiers = pricing.tiers.map(({ match, price: { first, next } }) => ({
        match,
        euros: toEur(first),
        next: next === first ? null : toEur(next),
      }));
      return { by: pricing.by, tiers, unit: pricing.unit, parameters: listPricedParameters(pricing) };
    }
    case "token":
      return {
        by: pricing.by,
        ...toTokenEuros(pricing.perMillion),
        longContext: pricing.longContext.map(({ above, perMillion }) => ({ above, ...toTokenEuros(perMillion) })),
        serviceTiers: mapNames(Object.keys(pricing.serviceTiers), "", (tier) => toEuros(pricing.serviceTiers[tier]!)),
      };
    case "gpu-second":
      return { by: pricing.by, euros: toEuros(pricing.pricePerSecond), most_seconds: pricing.maxSeconds };
  }
}
