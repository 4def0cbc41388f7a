import {
  array,
  bool,
  int4,
  int8,
  jsonb,
  jsonbText,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { Actor, Ctx, Metadata, Role } from "../../context";
import type { Queryable } from "../../db/client";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { unsettledStatesSql } from "../accounts/sql";
import type { KeysHub } from "./hub";
import { periodSql, type SpendReset } from "./limits";

/** Where a key is valid: in the API, or in `/mcp` as the key of a connected app. */
export type KeyScope = Extract<Actor, { kind: "key" }>["scope"];

const columns = {
  id: uuid,
  name: text,
  prefix: text,
  created_at: timestamptz,
  /** Accurate to the minute. */
  last_used_at: nullable(timestamptz),
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  require_idempotency: bool,
  spend_limit: nullable(int8),
  spend_limit_reset: nullable(textOf<NonNullable<SpendReset>>()),
  paused_at: nullable(timestamptz),
  /** Ids of the models that it may use; null for all. */
  allowed_models: nullable(jsonb<string[]>()),
  /** The metadata pairs that all of its generations get; null if it has none. */
  metadata: nullable(jsonb<Metadata>()),
  require_end_user: bool,
  allow_high_priority: bool,
  keeps_nothing: bool,
  requests_per_minute: nullable(int4),
  tokens_per_minute: nullable(int4),
  /** Addresses and CIDR ranges from which it may be used; null for all. */
  allowed_ips: nullable(jsonb<string[]>()),
  previous_prefix: nullable(text),
  /** When the secret before the last rotation stops working. */
  previous_expires_at: nullable(timestamptz),
};

export const keyColumns = {
  ...columns,
  /** Charges and holds, in the current period if the limit resets. */
  spent: int8,
};

/** An API key row without its hash. Money in nano-euros. */
export type Key = RowOf<typeof keyColumns>;

/** Returns SQL for the columns of a Key of the table or CTE `k`; `spent` is an expression. */
export const keySql = (spent: string) => `${columnList(columns, "k")}, ${spent} AS spent`;

/** Returns the public representation of a key (contract, Keys). */
export const serializeKey = (key: Key) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_at: key.created_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  require_idempotency: key.require_idempotency,
  spend_limit: toEurosOrNull(key.spend_limit),
  spend_limit_reset: key.spend_limit_reset,
  spent: toEuros(key.spent),
  paused_at: key.paused_at?.toISOString() ?? null,
  allowed_models: key.allowed_models,
  metadata: key.metadata,
  require_end_user: key.require_end_user,
  allow_high_priority: key.allow_high_priority,
  keeps_nothing: key.keeps_nothing,
  requests_per_minute: key.requests_per_minute,
  tokens_per_minute: key.tokens_per_minute,
  allowed_ips: key.allowed_ips,
  previous_prefix: key.previous_prefix,
  previous_expires_at: key.previous_expires_at?.toISOString() ?? null,
});

const MAX_KEYS = 1_000;

/**
 * Returns the account's API keys, active ones first, then the newest. Revoked keys stay listed with their spend; temporary
 * keys are never listed.
 */
export const listKeys = (ctx: Ctx<KeysHub>): Promise<Key[]> =>
  selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now(), null, "api");

/** Returns the account's API keys and those of its connected apps, as `listKeys` does. */
export const listAllKeys = (ctx: Ctx<KeysHub>): Promise<Key[]> =>
  selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now(), null, null);

/** Returns one of the account's keys, even if it is revoked. Throws a 404 if none has this id and scope. */
export async function getKey(
  ctx: Ctx<KeysHub>,
  id: string,
  scope: KeyScope = "api",
  db: Queryable = ctx.hub.db,
): Promise<Key> {
  const [key] = isId(id) ? await selectKeys(db, ctx.account.id, ctx.hub.now(), id, scope) : [];
  if (!key) throw keyNotFoundError();
  return key;
}

export const keyNotFoundError = () =>
  new AppError("resource_not_found", "There is no such key, or it is already revoked.");

// Keys with a limit have running counters; the spend of the others is summed from open holds and billing totals.
const selectKeys = statement({
  params: [int4, timestamptz, nullable(uuid), nullable(text)],
  row: keyColumns,
  text: `
  WITH held AS (
    SELECT key_id, sum(estimated_cost) AS amount FROM generation
    WHERE account_id = $1 AND status IN (${unsettledStatesSql}) GROUP BY key_id
  ),
  charged AS (SELECT key_id, sum(billed) AS amount FROM billing_total WHERE account_id = $1 GROUP BY key_id)
  SELECT ${keySql("(CASE WHEN k.spend_limit IS NULL THEN coalesce(held.amount, 0) + coalesce(charged.amount, 0) ELSE coalesce(s.reserved + s.charged, 0) END)::bigint")}
  FROM api_key k LEFT JOIN held ON held.key_id = k.id LEFT JOIN charged ON charged.key_id = k.id
  LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$2::timestamptz")}
  WHERE k.account_id = $1 AND CASE WHEN $3::uuid IS NULL THEN NOT k.is_temporary ELSE k.id = $3 END AND ($4::text IS NULL OR k.scope = $4)
  ORDER BY k.revoked_at IS NOT NULL, k.id DESC LIMIT ${MAX_KEYS}`,
});

/** Revokes a key from its next request on. Throws a 404 if it is not the account's, or already revoked. */
export async function revokeKey(
  ctx: Ctx<KeysHub>,
  id: string,
  scope: KeyScope = "api",
  db: Queryable = ctx.hub.db,
): Promise<void> {
  const [revoked] = isId(id) ? await updateRevoked(db, id, ctx.account.id, scope, ctx.hub.now()) : [];
  if (!revoked) throw keyNotFoundError();
}

// SQL instead of Prisma, because an operator revokes a key in the transaction of the audit log.
const updateRevoked = statement({
  params: [uuid, int4, textOf<KeyScope>(), timestamptz],
  row: { id: uuid },
  text: `
    UPDATE api_key SET revoked_at = $4
    WHERE id = $1 AND account_id = $2 AND scope = $3 AND revoked_at IS NULL RETURNING id`,
});

/** Revokes every key of an account and returns how many. */
export const revokeKeys = async (db: Queryable, accountId: number, now: Date): Promise<number> =>
  (await revokeAll(db, accountId, now)).length;

const revokeAll = statement({
  params: [int4, timestamptz],
  row: { id: uuid },
  text: "UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL RETURNING id",
});

/**
 * Revokes the person `$2`'s keys of all scopes in the account `$1`, except those with the ids `$4`. If somebody else has
 * rotated such a key since, only the person's old secret is ended, which may be in its grace period.
 */
export const revokeKeysOf = statement({
  params: [int4, int4, timestamptz, array(text)],
  row: { id: uuid },
  // One statement for both, so that it finds a key that is being rotated either before or after that.
  text: `
    UPDATE api_key SET revoked_at = CASE WHEN person_id = $2 THEN $3::timestamptz END,
      previous_expires_at = CASE WHEN person_id = $2 THEN previous_expires_at ELSE $3 END
    WHERE account_id = $1 AND revoked_at IS NULL
      AND (person_id = $2 AND NOT id::text = ANY ($4::text[])
        OR person_id IS DISTINCT FROM $2 AND previous_person_id = $2 AND previous_expires_at > $3)
    RETURNING id`,
});

/**
 * Returns the current roles in the account of everybody who knows a valid secret of a key: the key's owner and, while the old
 * secret is in its grace period, the previous owner. A role is null for somebody who is no longer a member, and `operator` for
 * a key that no member created.
 */
export const listSecretRoles = async (hub: KeysHub, keyId: string): Promise<(Role | "operator" | null)[]> =>
  (await selectSecretRoles(hub.db, keyId, hub.now())).map(({ role }) => role);

const selectSecretRoles = statement({
  params: [uuid, timestamptz],
  row: { role: nullable(textOf<Role | "operator">()) },
  text: `
    SELECT CASE WHEN known.person_id IS NULL THEN 'operator' ELSE m.role END AS role
    FROM api_key k
    CROSS JOIN LATERAL (
      SELECT k.person_id UNION SELECT k.previous_person_id WHERE k.previous_expires_at > $2
    ) known
    LEFT JOIN membership m ON m.person_id = known.person_id AND m.account_id = k.account_id
    WHERE k.id = $1`,
});

const limitColumns = { spend_limit: nullable(int8), spend_limit_reset: nullable(textOf<NonNullable<SpendReset>>()) };

/**
 * Changes the API key `$1` of the account `$2` and returns its limit; no row if there is none or it is revoked. `$3` has the
 * members to change as JSON, `$4` is the time. Limits are changed by `changeKey`, which also updates the key's spending.
 */
export const updateKey = statement({
  params: [uuid, int4, jsonbText, timestamptz],
  row: limitColumns,
  text: `
    UPDATE api_key SET
      name = coalesce($3::jsonb->>'name', name),
      expires_at = CASE WHEN $3::jsonb ? 'expires_at' THEN ($3::jsonb->>'expires_at')::timestamptz ELSE expires_at END,
      allowed_models = CASE WHEN $3::jsonb ? 'allowed_models' THEN nullif($3::jsonb->'allowed_models', 'null') ELSE allowed_models END,
      metadata = CASE WHEN $3::jsonb ? 'metadata' THEN nullif(nullif($3::jsonb->'metadata', 'null'), '{}') ELSE metadata END,
      require_end_user = coalesce(($3::jsonb->>'require_end_user')::boolean, require_end_user),
      allow_high_priority = coalesce(($3::jsonb->>'allow_high_priority')::boolean, allow_high_priority),
      keeps_nothing = coalesce(($3::jsonb->>'keeps_nothing')::boolean, keeps_nothing),
      requests_per_minute = CASE WHEN $3::jsonb ? 'requests_per_minute' THEN ($3::jsonb->>'requests_per_minute')::integer ELSE requests_per_minute END,
      tokens_per_minute = CASE WHEN $3::jsonb ? 'tokens_per_minute' THEN ($3::jsonb->>'tokens_per_minute')::integer ELSE tokens_per_minute END,
      allowed_ips = CASE WHEN $3::jsonb ? 'allowed_ips' THEN nullif($3::jsonb->'allowed_ips', 'null') ELSE allowed_ips END,
      paused_at = CASE ($3::jsonb->>'paused')::boolean WHEN true THEN coalesce(paused_at, $4) WHEN false THEN NULL ELSE paused_at END,
      spend_limit = CASE WHEN $3::jsonb ? 'spend_limit' THEN ($3::jsonb->>'spend_limit')::bigint ELSE spend_limit END,
      spend_limit_reset = CASE WHEN $3::jsonb ? 'spend_limit_reset' THEN $3::jsonb->>'spend_limit_reset' ELSE spend_limit_reset END
    WHERE id = $1 AND account_id = $2 AND scope = 'api' AND revoked_at IS NULL
    RETURNING spend_limit, spend_limit_reset`,
});

/** Locks the API key `$1` of the account `$2` and returns it; no row if there is none or it is revoked. */
export const lockKey = statement({
  params: [uuid, int4],
  row: columns,
  text: `
    SELECT ${columnList(columns, "api_key")} FROM api_key
    WHERE id = $1 AND account_id = $2 AND scope = 'api' AND revoked_at IS NULL FOR NO KEY UPDATE`,
});
