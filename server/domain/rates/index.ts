/** Rate limits, and limits of failed attempts. */
export type { RatesHub } from "./hub";
export { consumeRateLimit, type RateLimitBucket, rateLimitedError, toWholeSeconds } from "./rate-limit";
export { createRateServices, type RateServices } from "./rate-limits";
export { purgeFullBuckets } from "./share-tokens";
export { limitAuthCalls, networkCounters, passwordCounters, rejectExhausted, throttleAttempts } from "./throttle";
