/** Estimates and costs. An estimate is the most that a generation can cost. */
export { affordableTokens, computeCost, tokenCost } from "./cost";
export { type Estimate, estimateCost, estimateTokens } from "./estimate";
export { unboundedParts } from "./max-tokens";
export type { Price, TierPrice, TokenPrice } from "./price";
export { listPricedParameters } from "./measure-quantity";
export { type PricingHub, routeCost, usdToEur } from "./route-cost";
export { isTokenCount, type Tokens, type Usage } from "./usage";
