import type { Ctx } from "../../context";
import type { Queryable } from "../../db/client";
import { bytea, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { callerSql } from "../accounts/sql";
import { credentialKindOf, forCredentialKinds, getCredentialId, isCallerValid } from "../accounts";
import { getSecretPrefix, hashSecret, newSecret } from "../credentials";
import type { KeysHub } from "./hub";
import { getKey, type Key, keyNotFoundError } from "./key";

const HOUR_MS = 3_600_000;

/**
 * Replaces the secret of a key; the current one stays valid for `graceHours`. The key then belongs to the person of this
 * session, because they know its secret; if an operator rotates it, its owner stays the same. Throws a 404 if the key does not
 * exist or is revoked, a 401 if the session has ended, and a 409 while an earlier secret is in its grace period, which only a
 * rotation without a grace period may end.
 */
export async function rotateKey(
  ctx: Ctx<KeysHub>,
  id: string,
  graceHours: number,
  db: Queryable = ctx.hub.db,
): Promise<{ record: Key; key: string }> {
  if (!isId(id)) throw keyNotFoundError();
  const now = ctx.hub.now();
  const key = newSecret();
  const [rotated] = await replaceSecret[credentialKindOf(ctx.actor)](
    db,
    id,
    ctx.account.id,
    getSecretPrefix(key),
    hashSecret(key),
    now,
    new Date(now.getTime() + graceHours * HOUR_MS),
    getCredentialId(ctx.actor),
  );
  const record = await getKey(ctx, id, "api", db);
  if (rotated) return { record, key };
  if (record.revoked_at) throw keyNotFoundError();
  if (!(await isCallerValid(ctx, db))) throw new AppError("unauthorized", "This session has ended.");
  throw new AppError(
    "invalid_state",
    `The previous secret ${record.previous_prefix}… is valid until ${record.previous_expires_at?.toISOString()}. ` +
      "Rotate again after that, or now without a grace period, which ends both old secrets at once.",
  );
}

// The account is locked before the key, as in every other change of keys.
const replaceSecret = forCredentialKinds((kind) =>
  statement({
    params: [uuid, int4, text, bytea, timestamptz, timestamptz, nullable(uuid)],
    row: { id: uuid },
    text: `
    WITH ${callerSql(kind, "$2", "$7")}
    UPDATE api_key SET previous_hash = hash, previous_prefix = prefix, previous_expires_at = $6, prefix = $3, hash = $4,
      previous_person_id = api_key.person_id, person_id = coalesce(caller.person_id, api_key.person_id)
    FROM caller
    WHERE api_key.id = $1 AND api_key.account_id = caller.id AND scope = 'api' AND revoked_at IS NULL
      AND ($6::timestamptz <= $5 OR previous_expires_at IS NULL OR previous_expires_at <= $5)
    RETURNING api_key.id`,
  }),
);
