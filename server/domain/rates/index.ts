/** Rate limits, and limits of failed attempts. */
export { consumeRateLimit, type RateLimitBucket, rateLimitedError, toWholeSeconds } from "./rate-limit";
export { createRateLimits, type RateLimits } from "./rate-limits";
export { purgeFullBuckets } from "./share-tokens";
export { limitAuthCalls, networkCounters, passwordCounters, rejectExhausted, throttleAttempts } from "./throttle";
