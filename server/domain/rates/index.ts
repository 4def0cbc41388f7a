/** Rate limits of calls, and limits of failed attempts to authenticate, which all processes of a hub share. */
export { consumeCall, consumeTokenCall } from "./consume-call";
export type { RatesHub } from "./hub";
export { checkTokenLimit, findTokenLimit, reserveTokens, settleTokens } from "./reserve-tokens";
export {
  consumeRateLimit,
  limitAuthCalls,
  networkCounters,
  passwordCounters,
  type RateLimitBucket,
  rateLimitedError,
  rejectExhausted,
  throttleAttempts,
} from "./throttle";
export { createRateServices, type RateServices, type TokenServices } from "./rate-limits";
export { purgeFullBuckets } from "./share-tokens";
