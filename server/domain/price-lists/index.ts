/** Compares the prices of tokens with public price lists, and applies what changed. */
export { applyPrices } from "./apply-prices";
export { comparePrices, findListPaths, type PriceComparison } from "./compare-prices";
export { fetchPriceList, MAX_LIST_BYTES } from "./fetch-price-list";
export type { PriceListsHub } from "./hub";
export { type SerializedComparison, serializeComparison } from "./serialize-comparison";
