/** Rate limits of calls, and limits of failed attempts to authenticate, which all processes of a hub share. */
export type { RatesHub } from "./hub";
export {
  consumeRateLimit,
  limitAuthCalls,
  networkCounters,
  passwordCounters,
  type RateLimitBucket,
  rateLimitedError,
  rejectExhausted,
  throttleAttempts,
  toWholeSeconds,
} from "./throttle";
export { createRateServices, type RateServices } from "./rate-limits";
export { purgeFullBuckets } from "./share-tokens";
