import { array, bool, int8, jsonb, nullable, text, textOf, timestamptz, uuid, int4 } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { Actor, Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { KeysHub } from "./hub";
import { type SpendReset, periodSql } from "./period";

/** What a key opens: the API, or `/mcp` for an app that a person connected. */
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
  /** The ids of the models that it may use; null for all. */
  allowed_models: nullable(jsonb<string[]>()),
  previous_prefix: nullable(text),
  /** Until when the secret before the last rotation works. */
  previous_expires_at: nullable(timestamptz),
};

export const keyColumns = {
  ...columns,
  /** Charges and holds; of the current period if the limit resets. */
  spent: int8,
};

/** An API key row without its hash. Money in nano-euros. */
export type Key = RowOf<typeof keyColumns>;

/** Returns SQL for the columns of a Key from the table or CTE `k`; `spent` is the expression for its spend. */
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
  previous_prefix: key.previous_prefix,
  previous_expires_at: key.previous_expires_at?.toISOString() ?? null,
});

const MAX_KEYS = 1_000;

/** Returns the account's API keys, active ones first, then the newest. Revoked keys stay listed with their spend. */
export const listKeys = (ctx: Ctx<KeysHub>): Promise<Key[]> =>
  selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now(), null, "api");

/** Returns the keys of the account's API and of its connected apps, as `listKeys` does. */
export const listAllKeys = (ctx: Ctx<KeysHub>): Promise<Key[]> =>
  selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now(), null, null);

/** Returns one of the account's keys, also a revoked one. Throws a 404 when there is none with this id in this scope. */
export async function getKey(ctx: Ctx<KeysHub>, id: string, scope: KeyScope = "api"): Promise<Key> {
  const [key] = isId(id) ? await selectKeys(ctx.hub.db, ctx.account.id, ctx.hub.now(), id, scope) : [];
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
    WHERE account_id = $1 AND status IN ('queued', 'running', 'awaiting_supply') GROUP BY key_id
  ),
  charged AS (SELECT key_id, sum(billed) AS amount FROM billing_total WHERE account_id = $1 GROUP BY key_id)
  SELECT ${keySql("(CASE WHEN k.spend_limit IS NULL THEN coalesce(held.amount, 0) + coalesce(charged.amount, 0) ELSE coalesce(s.reserved + s.charged, 0) END)::bigint")}
  FROM api_key k LEFT JOIN held ON held.key_id = k.id LEFT JOIN charged ON charged.key_id = k.id
  LEFT JOIN key_spending s ON s.key_id = k.id AND s.period = ${periodSql("k.spend_limit_reset", "$2::timestamptz")}
  WHERE k.account_id = $1 AND ($3::uuid IS NULL OR k.id = $3) AND ($4::text IS NULL OR k.scope = $4)
  ORDER BY k.revoked_at IS NOT NULL, k.id DESC LIMIT ${MAX_KEYS}`,
});

/** Revokes a key: its next request is rejected. Throws a 404 when it is not the account's, or already revoked. */
export async function revokeKey(ctx: Ctx<KeysHub>, id: string, scope: KeyScope = "api"): Promise<void> {
  const where = { id, accountId: ctx.account.id, scope, revokedAt: null };
  const data = { revokedAt: ctx.hub.now() };
  const revoked = isId(id) ? await ctx.hub.db.prisma.apiKey.updateMany({ where, data }) : { count: 0 };
  if (revoked.count === 0) throw keyNotFoundError();
}

/** Revokes every key of an account and returns how many. */
export async function revokeKeys(db: Queryable, accountId: number, now: Date): Promise<number> {
  return (await revokeAll(db, accountId, now)).length;
}

const revokeAll = statement({
  params: [int4, timestamptz],
  row: { id: uuid },
  text: "UPDATE api_key SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL RETURNING id",
});

/** Revokes the keys of all scopes that the person `$2` made for the account `$1`, but for those with the ids `$4`. */
export const revokeKeysOf = statement({
  params: [int4, int4, timestamptz, array(text)],
  row: { id: uuid },
  text: `
    UPDATE api_key SET revoked_at = $3
    WHERE account_id = $1 AND person_id = $2 AND revoked_at IS NULL AND NOT id::text = ANY ($4::text[]) RETURNING id`,
});
