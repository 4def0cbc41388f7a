/** What the tokens of a chat cost: usage by class as providers report it, the highest cost of a request, and the charge. */
export {
  affordableTokens,
  type ChatEstimate,
  estimateChat,
  estimateChatInSlices,
  estimateTokenCost,
  freezePriceList,
  limitEstimate,
} from "./estimate-chat";
export { type FileTokens, unboundedParts } from "./max-tokens";
export { findUnpriced, readServiceTier } from "./reach";
export { readUsage } from "./reported-usage";
export { chargeFor, findMultiplier, tokenCost } from "./token-cost";
export type { FrozenTokenPrices, TokenPrice } from "./token-price";
export {
  describeUsage,
  fromStoredUsage,
  isTokenCount,
  type TokenClasses,
  type TokenUsage,
  toStoredUsage,
} from "./token-usage";
