import type { Actor, Metadata } from "../../context";
import { bool, bytea, int4, int8, jsonbText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { callerSql } from "../accounts/sql";
import { credentialKindOf, forCredentialKinds, getCredentialId } from "../accounts";
import { getSecretPrefix, hashSecret, newSecret } from "../credentials";
import type { KeysHub } from "./hub";
import { type Key, keyColumns, keySql } from "./key";
import { checkExpiry, parseSpendLimit, type SpendReset } from "./limits";

export interface KeyRequest {
  name: string;
  require_idempotency?: boolean;
  expires_at?: Date | null;
  /** EUR. */
  spend_limit?: number | null;
  spend_limit_reset?: SpendReset;
  /** Ids of models; null for all. */
  allowed_models?: string[] | null;
  metadata?: Metadata | null;
  require_end_user?: boolean;
  allow_high_priority?: boolean;
  keeps_nothing?: boolean;
  requests_per_minute?: number | null;
  tokens_per_minute?: number | null;
  /** Addresses and CIDR ranges; null for all. */
  allowed_ips?: string[] | null;
  /** Hides it from lists of keys. */
  is_temporary?: boolean;
}

interface CreatedKey {
  record: Key;
  /** The secret, which cannot be read again. */
  key: string;
}

/**
 * Inserts an API key. Throws a 400 for an `expires_at` in the past or a reset without a limit, and a 401 if the actor's
 * credential is no longer valid.
 */
export async function createKey(
  hub: KeysHub,
  accountId: number,
  request: KeyRequest,
  actor: Actor = { kind: "user" },
  db: Queryable = hub.db,
): Promise<CreatedKey> {
  const { name, require_idempotency = false, expires_at = null, spend_limit_reset = null } = request;
  const now = hub.now();
  checkExpiry(expires_at, now);
  const limit = parseSpendLimit(request.spend_limit ?? null);
  if (spend_limit_reset && limit === null) throw invalidInput("spend_limit_reset", "needs a spend_limit");
  const key = newSecret();
  const [record] = await insertKey[credentialKindOf(actor)](
    db,
    newId(),
    accountId,
    name,
    getSecretPrefix(key),
    hashSecret(key),
    require_idempotency,
    now,
    expires_at,
    limit,
    spend_limit_reset,
    toJson(request.allowed_models),
    getCredentialId(actor),
    toJson(request.metadata),
    request.require_end_user ?? false,
    ...toRateParams(request),
    ...toFlags(request),
  );
  if (!record) throw new AppError("unauthorized", "This session has ended.");
  return { record, key };
}

const toJson = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);

const toRateParams = ({ requests_per_minute = null, tokens_per_minute = null, allowed_ips }: KeyRequest) =>
  [requests_per_minute, tokens_per_minute, toJson(allowed_ips)] as const;

const toFlags = ({ allow_high_priority = true, keeps_nothing = false, is_temporary = false }: KeyRequest) =>
  [allow_high_priority, keeps_nothing, is_temporary] as const;

const insertKey = forCredentialKinds((kind) =>
  statement({
    // prettier-ignore
    params: [
      uuid, int4, text, text, bytea, bool, timestamptz,
      nullable(timestamptz), nullable(int8), nullable(text), nullable(jsonbText), nullable(uuid),
      nullable(jsonbText), bool,
      nullable(int4), nullable(int4), nullable(jsonbText), bool, bool, bool,
    ],
    row: keyColumns,
    text: `
      WITH ${callerSql(kind, "$2", "$12")},
      k AS (
        INSERT INTO api_key (id, account_id, name, prefix, hash, require_idempotency, created_at, expires_at, spend_limit, spend_limit_reset, allowed_models, metadata, require_end_user, requests_per_minute, tokens_per_minute, allowed_ips, allow_high_priority, keeps_nothing, is_temporary, person_id)
        SELECT $1, caller.id, $3, $4, $5, $6, $7, $8, $9::bigint, $10, $11::jsonb, nullif($13::jsonb, '{}'), $14, $15::integer, $16::integer, $17::jsonb, $18, $19, $20, caller.person_id FROM caller RETURNING *
      )
      SELECT ${keySql("0::bigint")} FROM k`,
  }),
);
