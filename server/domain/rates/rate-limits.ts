import type { HubParts } from "../../context";
import type { BucketOptions } from "../../lib/bucket";
import { createFailurePacer, type FailurePacer } from "./failure-pacer";
import { createKeyRates, type KeyRates, type Reservation } from "./key-rates";
import { createSharedBuckets } from "./shared-buckets";
import { createTokenSharing, type SharingParts } from "./share-tokens";

const HOUR_MS = 3_600_000;
const MAX_WRONG_PASSWORDS_PER_MINUTE = 10;
const MAX_WRONG_PASSWORDS_PER_HOUR = 100;
// Three of a million codes are valid at a time, so guessing for a day succeeds once in 700 times.
const MAX_WRONG_CODES_PER_HOUR = 20;
const MAX_INVITATIONS_PER_HOUR = 5;
const MAX_WRONG_VOUCHERS_PER_HOUR = 20;
const MAX_AUTH_CALLS_PER_MINUTE = 600;
// A page and its video, which a player reads in ranges, are some twenty requests.
const MAX_SHARED_PER_NETWORK = 300;
const MAX_SHARED_PER_LINK = 3_000;

/** What the chats of one process share of the limits of tokens. */
export interface TokenServices {
  /** The counters of keys and accounts that have their own limits. */
  keyRates: KeyRates;
  /** The tokens that the chats in progress have reserved, by the ids of their generations. */
  tokenReservations: Map<string, Reservation[]>;
}

/** The services for rates that the requests of one process share. */
export interface RateServices extends TokenServices {
  /** The buckets of calls and failed attempts, which REST, the console and sign-in share. */
  rateLimits: ReturnType<typeof createRateLimits>;
  /** Paces the responses to failed authentications beyond the limit of a network. */
  paceFailures: FailurePacer;
}

type LimitParts = SharingParts & Pick<HubParts, "env">;

/** Returns the services of rates. */
export const createRateServices = (hub: LimitParts): RateServices => ({
  rateLimits: createRateLimits(hub),
  keyRates: createKeyRates(hub),
  tokenReservations: new Map(),
  paceFailures: createFailurePacer({ stepMs: 10, maxWaitMs: 5_000 }),
});

/** Returns the limits of a hub, which all its processes share. */
function createRateLimits(hub: LimitParts) {
  const { env, now } = hub;
  const owner = { now, shareTokens: createTokenSharing(hub) };
  const limit = <Key extends string | number>(name: string, capacity: number, options?: BucketOptions) =>
    createSharedBuckets<Key>(owner, name, capacity, options);
  const callLimit = (name: string, perMinute: number) => ({
    name,
    quota: perMinute,
    buckets: limit<number | string>(name, perMinute),
  });
  const ofBooks = new Map<number, ReturnType<typeof callLimit>>();
  return {
    /** Calls of an account, which all its keys and sessions share, and of an operator's token by its id. */
    calls: {
      read: callLimit("reads", env.RATE_LIMIT_READS_PER_MINUTE),
      write: callLimit("writes", env.RATE_LIMIT_WRITES_PER_MINUTE),
      keys: callLimit("keys", env.RATE_LIMIT_KEYS_PER_MINUTE),
    },
    /** Returns the buckets of accounts whose price book has this limit of calls a minute. */
    bookCalls: (perMinute: number) => {
      let found = ofBooks.get(perMinute);
      if (!found) ofBooks.set(perMinute, (found = callLimit(`requests of ${perMinute}`, perMinute)));
      return found;
    },
    /** Failed authentications by network, whether by key, password or a link in an e-mail. */
    failures: limit<string>("failures", env.RATE_LIMIT_FAILED_AUTH_PER_MINUTE),
    /** Calls of next-auth's routes by network. */
    authCalls: limit<string>("auth calls", MAX_AUTH_CALLS_PER_MINUTE),
    /** Requests for shared outputs in a minute: by network, whether or not the link works, and by working link. */
    sharedOutputs: {
      byNetwork: limit<string>("shared outputs", MAX_SHARED_PER_NETWORK),
      byLink: limit<string>("shared outputs by link", MAX_SHARED_PER_LINK),
    },
    wrongPasswords: {
      /** By network and account, so that attempts from elsewhere do not lock the owner out. */
      byPair: limit<string>("passwords by pair", MAX_WRONG_PASSWORDS_PER_MINUTE),
      /** By account, from all networks together. */
      byAccount: limit<string>("passwords by account", MAX_WRONG_PASSWORDS_PER_HOUR, { windowMs: HOUR_MS }),
      /** By a browser that signed in to the account before. */
      byDevice: limit<string>("passwords by device", MAX_WRONG_PASSWORDS_PER_MINUTE),
      /** By person who is signed in, e.g. to change the password. */
      byOwner: limit<string>("passwords by owner", MAX_WRONG_PASSWORDS_PER_MINUTE),
    },
    /** Wrong codes of a second factor, by person. */
    wrongCodes: {
      totp: limit<string>("totp codes", MAX_WRONG_CODES_PER_HOUR, { windowMs: HOUR_MS }),
      recovery: limit<string>("recovery codes", MAX_WRONG_CODES_PER_HOUR, { windowMs: HOUR_MS }),
    },
    /** Invitations by recipient, from all senders together. */
    invitations: limit<string>("invitations", MAX_INVITATIONS_PER_HOUR, { windowMs: HOUR_MS }),
    /** Wrong codes of vouchers, by account. */
    wrongVouchers: limit<string>("voucher codes", MAX_WRONG_VOUCHERS_PER_HOUR, { windowMs: HOUR_MS }),
    verifications: {
      /** E-mails by person. */
      byPerson: limit<number>("verification e-mails", 1),
      /** Wrong tokens by person. */
      attempts: limit<string>("verification tokens", MAX_WRONG_PASSWORDS_PER_MINUTE),
    },
  };
}
