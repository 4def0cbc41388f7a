/** Estimates what a generation can cost at most, and computes what it costs by its usage. */
export { computeCost, maxCost } from "./cost";
export { describePrice } from "./describe-price";
export { type Estimate, estimateCost } from "./estimate";
export { listPricedParameters } from "./measure-quantity";
export type { MediaPrice, Price, TierPrice, Usage } from "./price";
export { showPrice } from "./show-price";
export { type PricingHub, routeCost, routeTokenCost, typicalTokenCost, usdToEur } from "./route-cost";
