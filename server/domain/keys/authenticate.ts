import type { Account, Actor, Hub } from "../../context";
import { createTouch, isTouchDue } from "../../db/touch";
import { bool, int4, int8, jsonText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { createBatcher } from "../../lib/batch";
import { hashSecret, isSecret } from "./secret";

export interface Authenticated {
  account: Account;
  actor: Extract<Actor, { kind: "key" }>;
}

const keyColumns = {
  hash: text,
  id: uuid,
  name: text,
  prefix: text,
  require_idempotency: bool,
  last_used_at: nullable(timestamptz),
  account_id: int4,
  email: text,
  member: bool,
  balance: int8,
  reserved: int8,
  follows_events: bool,
  reply_retention_days: nullable(int4),
};

/**
 * Returns the account and key of a secret; null when the key is unknown, revoked or expired, or its account suspended.
 * Concurrent requests share one statement, and nothing is cached, so a revoked key is rejected on the very next request.
 */
export async function authenticateKey(hub: Hub, secret: string): Promise<Authenticated | null> {
  return isSecret(secret) ? hub.services.findKey(hashSecret(secret).toString("hex")) : null;
}

/** Returns a function that records the use of a key. */
export const createKeyTouch = (hub: Hub) => createTouch(hub, "api_key.last_used_at");

/** Returns a function that finds the account and key of a secret's hash, in hexadecimal. */
export const createKeyLookup = (hub: Hub) =>
  createBatcher<string, Authenticated | null>(async (hashes) => {
    const now = hub.now();
    const rows = await selectKeys(hub.db, JSON.stringify(hashes), now);
    for (const { id, last_used_at } of rows) if (isTouchDue(last_used_at, now)) hub.services.touchKey(id);
    const found = new Map(rows.map((row) => [row.hash, toAuthenticated(row)]));
    return hashes.map((hash) => found.get(hash) ?? null);
  });

const toAuthenticated = (row: RowOf<typeof keyColumns>): Authenticated => ({
  account: {
    id: row.account_id,
    email: row.email,
    member: row.member,
    balance: row.balance,
    reserved: row.reserved,
    followsEvents: row.follows_events,
    replyRetentionDays: row.reply_retention_days,
  },
  actor: { kind: "key", id: row.id, name: row.name, prefix: row.prefix, requireIdempotency: row.require_idempotency },
});

// LATERAL with LIMIT 1 forces an index lookup per hash: a join would scan small or unanalyzed tables (decision 8). The
// hashes are passed as JSON, because Postgres replans for each array length, which costs more than the query.
const selectKeys = statement({
  params: [jsonText, timestamptz],
  row: keyColumns,
  text: `
    SELECT requested.hash, k.id, k.name, k.prefix, k.require_idempotency, k.last_used_at,
           a.id AS account_id, a.email, a.member, a.balance, a.reserved, a.follows_events, a.reply_retention_days
    FROM json_array_elements_text($1::json) AS requested (hash)
    CROSS JOIN LATERAL (
      SELECT * FROM api_key WHERE hash = decode(requested.hash, 'hex') AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) LIMIT 1
    ) k
    CROSS JOIN LATERAL (SELECT * FROM account WHERE id = k.account_id AND NOT suspended LIMIT 1) a`,
});
