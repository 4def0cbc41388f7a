import { bookColumnsSql, listDiscounting, readTerms } from "../../catalogue/books/account-terms";
import type { Terms } from "../../catalogue/books/book";
import type { Account, Actor, HubParts, Metadata } from "../../context";
import { createTouch, isTouchDue } from "../../db/touch";
import {
  array,
  bool,
  int4,
  int8,
  jsonb,
  jsonText,
  notNull,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { type Batcher, createBatcher } from "../../lib/batch";
import { createRangeTest } from "../../lib/address-ranges";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { createTurnShare, type ShareTurn } from "../../lib/share-turn";
import { hashSecret, isSecret } from "./secret";

/**
 * Why a key is rejected; `replaced` for the secret before a rotation, after its grace period, and `address` for one that was
 * sent from elsewhere than its owner allows, whatever else its state is.
 */
export type KeyRejection = "revoked" | "expired" | "paused" | "replaced" | "address";

/** The key and account of a secret. Only a caller without a `rejection` may act. */
export interface FoundKey {
  account: Account;
  actor: Extract<Actor, { kind: "key" }>;
  rejection: KeyRejection | null;
}

/** A key as it is looked up, wherever it was sent from. */
interface KeyRecord extends FoundKey {
  allowedIps: string[] | null;
  lastUsedAt: Date | null;
}

/** The services for credentials that the requests of one process share. */
export interface CredentialServices {
  /** Finds an API key by the hash of its secret, in hexadecimal. */
  findKey: Batcher<string, KeyRecord | null>;
  /** Finds a key that this process has not seen before. */
  findNewKey: Batcher<string, KeyRecord | null>;
  /** Notes that a key was used just now. */
  touchKey: (key: KeyRecord) => void;
  /** The hashes of keys that were valid when last used, the oldest first. */
  recentKeys: Set<string>;
  /** Makes requests with keys that this process has not seen share turns of the event loop. */
  shareTurnOfStrangers: ShareTurn;
}

/** The parts of the hub that credentials use. */
export interface CredentialsHub {
  services: CredentialServices;
}

type LookupParts = Pick<HubParts, "books" | "db" | "log" | "now">;

/** Returns the services of credentials. */
export function createCredentialServices(hub: LookupParts): CredentialServices {
  const touch = createTouch(hub, "api_key.last_used_at");
  return {
    findKey: createKeyLookup(hub, 2),
    findNewKey: createKeyLookup(hub, 1),
    touchKey({ actor, lastUsedAt }) {
      if (isTouchDue(lastUsedAt, hub.now())) touch(actor.id);
    },
    recentKeys: new Set(),
    shareTurnOfStrangers: createTurnShare(),
  };
}

const keyColumns = {
  hash: text,
  id: uuid,
  name: text,
  prefix: text,
  scope: textOf<FoundKey["actor"]["scope"]>(),
  require_idempotency: bool,
  allowed_models: nullable(jsonb<string[]>()),
  metadata: nullable(jsonb<Metadata>()),
  require_end_user: bool,
  key_keeps_nothing: bool,
  requests_per_minute: nullable(int4),
  tokens_per_minute: nullable(int4),
  allowed_ips: nullable(jsonb<string[]>()),
  rejection: nullable(textOf<KeyRejection>()),
  last_used_at: nullable(timestamptz),
  account_id: int4,
  email: text,
  member: bool,
  balance: int8,
  reserved: int8,
  limits_version: nullable(int4),
  has_budgets: bool,
  reply_retention_days: nullable(int4),
  keeps_nothing: bool,
  book: nullable(text),
  month_volume: notNull(int8),
};

/**
 * Returns the account and key of a secret that was sent from an address, and why the key is rejected; null if the key is
 * unknown or its account is suspended or closing. An unknown address is one that no key allows. Concurrent requests share one
 * statement, and nothing is cached, so a change of a key applies to the very next request.
 */
export const findKey = (hub: CredentialsHub, secret: string, address: string | null = null): Promise<FoundKey | null> =>
  findKeyByHash(hub, hashKey(secret), address);

/** Returns the hash of a key in hexadecimal; null if the text does not have the form of a key. */
export const hashKey = (secret: string): string | null =>
  isSecret(secret, "sk") || isSecret(secret, "mk") ? hashSecret(secret).toString("hex") : null;

/** Does the same as `findKey`, with the result of `hashKey`. */
export async function findKeyByHash(
  { services }: CredentialsHub,
  hash: string | null,
  address: string | null,
): Promise<FoundKey | null> {
  if (hash === null) return null;
  // Made-up keys delay only each other, and keys that were created just now.
  const found = await (services.recentKeys.has(hash) ? services.findKey(hash) : services.findNewKey(hash));
  const isElsewhere = Boolean(found?.allowedIps) && !isAllowed(found!.allowedIps!, address);
  // What somebody sends from elsewhere says nothing about the requests of the owner.
  if (found && isElsewhere) return { ...found, rejection: "address" };
  if (found && !found.rejection) {
    addRecent(services.recentKeys, hash);
    services.touchKey(found);
  } else services.recentKeys.delete(hash);
  return found;
}

const isAllowed = (allowedIps: string[], address: string | null): boolean =>
  address !== null && createRangeTest(allowedIps)(address);

/** Returns whether the key of a hash was valid when this process last saw it. */
export const isRecentKey = ({ services }: CredentialsHub, hash: string | null): boolean =>
  hash !== null && services.recentKeys.has(hash);

const MAX_RECENT_KEYS = 20_000;

function addRecent(recent: Set<string>, hash: string): void {
  if (recent.has(hash)) return;
  recent.add(hash);
  if (recent.size <= MAX_RECENT_KEYS) return;
  for (const oldest of recent) return void recent.delete(oldest);
}

/** Returns a function that finds the account and key of a hash, with at most `maxStatements` at once. */
const createKeyLookup = (hub: LookupParts, maxStatements: number) =>
  createBatcher<string, KeyRecord | null>(
    async (hashes) => {
      const rows = await selectKeys(hub.db, JSON.stringify(hashes), hub.now(), listDiscounting(hub));
      const termsOf = await readTerms(hub, rows);
      const found = new Map(rows.map((row) => [row.hash, toKeyRecord(row, termsOf(row))]));
      return hashes.map((hash) => found.get(hash) ?? null);
    },
    { limiter: createConcurrencyLimit(maxStatements) },
  );

const toKeyRecord = (row: RowOf<typeof keyColumns>, terms: Terms | null): KeyRecord => ({
  account: {
    id: row.account_id,
    email: row.email,
    member: row.member,
    balance: row.balance,
    reserved: row.reserved,
    terms,
    limits: row.limits_version === null ? null : { version: row.limits_version, hasBudgets: row.has_budgets },
    replyRetentionDays: row.reply_retention_days,
    keepsNothing: row.keeps_nothing,
  },
  actor: {
    kind: "key",
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    requireIdempotency: row.require_idempotency,
    allowedModels: row.allowed_models,
    metadata: row.metadata,
    requireEndUser: row.require_end_user,
    keepsNothing: row.key_keeps_nothing,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
  },
  rejection: row.rejection,
  allowedIps: row.allowed_ips,
  lastUsedAt: row.last_used_at,
});

// The first condition that holds is the reason, so the permanent ones come first. `$2` is the time.
const bySecretSql = (secret: "hash" | "previous_hash") => `
  SELECT id, account_id, name, scope, require_idempotency, allowed_models, metadata, require_end_user, keeps_nothing, requests_per_minute,
         tokens_per_minute, allowed_ips, last_used_at, spend_limit,
         ${secret === "hash" ? "prefix" : "previous_prefix"} AS prefix,
         CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
              ${secret === "hash" ? "" : "WHEN previous_expires_at <= $2 THEN 'replaced'"}
              WHEN expires_at <= $2 THEN 'expired'
              WHEN paused_at IS NOT NULL THEN 'paused' END AS rejection
  FROM api_key WHERE ${secret} = decode(requested.hash, 'hex')`;

// LATERAL with LIMIT 1 forces an index lookup per hash: a join would scan tables that are small or have no statistics
// (decision 8). Previous secrets are looked up only for hashes that are nobody's current one.
const selectKeys = statement({
  params: [jsonText, timestamptz, array(text)],
  row: keyColumns,
  text: `
    SELECT requested.hash, k.id, k.name, k.prefix, k.scope, k.require_idempotency, k.allowed_models, k.metadata, k.require_end_user, k.keeps_nothing AS key_keeps_nothing,
           k.requests_per_minute, k.tokens_per_minute, k.allowed_ips, k.rejection, k.last_used_at,
           a.id AS account_id, a.email, a.member, a.balance, a.reserved, a.reply_retention_days, a.keeps_nothing,
           a.has_budgets, CASE WHEN k.spend_limit IS NULL AND NOT a.follows_events THEN a.key_limits_version END AS limits_version,
           ${bookColumnsSql({ account: "a", now: "$2", discounting: "$3" })}
    FROM json_array_elements_text($1::json) AS requested (hash)
    CROSS JOIN LATERAL (${bySecretSql("hash")} UNION ALL ${bySecretSql("previous_hash")} LIMIT 1) k
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = k.account_id AND NOT suspended AND closes_at IS NULL LIMIT 1) a`,
});
