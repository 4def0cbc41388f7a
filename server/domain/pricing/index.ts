/** Estimates what a generation can cost at most, and computes what it costs by its usage. */
export { affordableTokens, computeCost, tokenCost } from "./cost";
export { type Estimate, estimateCost, estimateTokens } from "./estimate";
export { unboundedParts } from "./max-tokens";
export { isTokenCount, type Price, type TierPrice, type TokenPrice, type Tokens, type Usage } from "./price";
export { listPricedParameters } from "./measure-quantity";
export { type PricingHub, routeCost, usdToEur } from "./route-cost";
