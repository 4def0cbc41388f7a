import type { Actor, Hub } from "../../context";
import { bool, bytea, int4, int8, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { type Nano, parseDecimal, toEuros } from "../../lib/money";
import { callerSql, forActorKinds, getCredentialId } from "../accounts/caller";
import { type Key, keyColumns, keySql } from "./key";
import type { SpendReset } from "./period";
import { hashSecret, newSecret, getSecretPrefix } from "./secret";

export interface KeyRequest {
  name: string;
  require_idempotency?: boolean;
  expires_at?: Date | null;
  /** EUR. */
  spend_limit?: number | null;
  spend_limit_reset?: SpendReset;
}

/**
 * Inserts an API key. `key` is its secret, which cannot be read again. Throws a 400 for an `expires_at` in the past or a
 * reset without a limit, and a 401 when the actor's session has ended.
 */
export async function createKey(
  hub: Hub,
  accountId: number,
  request: KeyRequest,
  actor: Actor = { kind: "user" },
): Promise<{ record: Key; key: string }> {
  const { name, require_idempotency = false, expires_at = null, spend_limit_reset = null } = request;
  const now = hub.now();
  if (expires_at && expires_at <= now) throw invalidInput("expires_at", "must be in the future");
  const limit = parseSpendLimit(request.spend_limit ?? null);
  if (spend_limit_reset && limit === null) throw invalidInput("spend_limit_reset", "needs a spend_limit");
  const key = newSecret();
  const secret = [getSecretPrefix(key), hashSecret(key)] as const;
  const limits = [expires_at, limit, spend_limit_reset] as const;
  const [record] = await insertKey[actor.kind](
    ...[hub.db, newId(), accountId, name, ...secret, require_idempotency, now, ...limits, getCredentialId(actor)],
  );
  if (!record) throw new AppError("unauthorized", "This session has ended.");
  return { record, key };
}

function parseSpendLimit(euros: number | null): Nano | null {
  if (euros === null) return null;
  const nano = toNano(euros);
  if (nano === null) throw invalidInput("spend_limit", "may have at most nine decimal places");
  return nano;
}

function toNano(euros: number): Nano | null {
  try {
    const nano = parseDecimal(euros);
    // An amount below one nano-euro would be rounded to zero.
    return toEuros(nano) === euros ? nano : null;
  } catch {
    return null;
  }
}

const insertKey = forActorKinds((kind) =>
  statement({
    // prettier-ignore
    params: [
      uuid, int4, text, text, bytea, bool, timestamptz,
      nullable(timestamptz), nullable(int8), nullable(text), nullable(uuid),
    ],
    row: keyColumns,
    text: `
      WITH ${callerSql(kind, "$2", "$11")},
      k AS (
        INSERT INTO api_key (id, account_id, name, prefix, hash, require_idempotency, created_at, expires_at, spend_limit, spend_limit_reset)
        SELECT $1, caller.id, $3, $4, $5, $6, $7, $8, $9::bigint, $10 FROM caller RETURNING *
      )
      SELECT ${keySql("0::bigint")} FROM k`,
  }),
);
