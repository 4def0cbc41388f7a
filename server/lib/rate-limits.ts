import type { Env } from "../env";
import { createBuckets } from "./bucket";

const HOUR_MS = 3_600_000;
const MAX_WRONG_PASSWORDS_PER_MINUTE = 10;
const MAX_WRONG_PASSWORDS_PER_HOUR = 100;
const MAX_AUTH_CALLS_PER_MINUTE = 600;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Returns the limits of one process, which REST, the console and sign-in count in together. */
export const createRateLimits = (env: Env) => ({
  /** Calls of an account, which all its keys and sessions share. */
  calls: {
    read: createCallLimit("reads", env.RATE_LIMIT_READS_PER_MINUTE),
    write: createCallLimit("writes", env.RATE_LIMIT_WRITES_PER_MINUTE),
    keys: createCallLimit("keys", env.RATE_LIMIT_KEYS_PER_MINUTE),
  },
  /** Failed authentications by network, whatever was tried: a key, a password, an e-mail's link. */
  failures: createBuckets<string>(env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE),
  /** Calls of next-auth's routes by network. */
  authCalls: createBuckets<string>(MAX_AUTH_CALLS_PER_MINUTE),
  wrongPasswords: {
    /** By network and account, so that nobody elsewhere locks the owner out. */
    byPair: createBuckets<string>(MAX_WRONG_PASSWORDS_PER_MINUTE),
    /** By account, over all networks together. */
    byAccount: createBuckets<string>(MAX_WRONG_PASSWORDS_PER_HOUR, { windowMs: HOUR_MS }),
    /** By a browser that signed in to the account before. */
    byDevice: createBuckets<string>(MAX_WRONG_PASSWORDS_PER_MINUTE),
    /** By account, of whoever is signed in to it and changes its password. */
    byOwner: createBuckets<string>(MAX_WRONG_PASSWORDS_PER_MINUTE),
  },
  verifications: {
    /** E-mails by account. */
    byAccount: createBuckets<number>(1),
    /** Wrong tokens by account. */
    attempts: createBuckets<string>(MAX_WRONG_PASSWORDS_PER_MINUTE),
  },
});

const createCallLimit = (name: string, perMinute: number) => ({
  name,
  policy: `"${name}";q=${perMinute};w=60`,
  buckets: createBuckets<number>(perMinute),
});
