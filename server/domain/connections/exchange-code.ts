import { createHash } from "node:crypto";
import { z } from "zod";
import { bytea, int4, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { newId } from "../../lib/id";
import { isDevelopingSql } from "../accounts/sql";
import { insertAppKeySql } from "../keys/sql";
import { revokeAppKey } from "../keys";
import { getSecretPrefix, hashSecret, newSecret } from "../credentials";
import type { ConnectionsHub } from "./hub";
import { OAuthError } from "./oauth-error";
import { getResource } from "./resource";

/** How long a connection lasts. A constraint repeats this. */
export const CONNECTION_DAYS = 7;
const DAY_MS = 86_400_000;

const TokenRequest = z.object({
  code: z.string().min(1).max(200),
  client_id: z.string().min(1),
  redirect_uri: z.string().min(1),
  code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
  resource: z.string().optional(),
});

/**
 * Exchanges a code for a key, once. The code must belong to this client, redirect address, verifier and resource, and to a
 * person whose sessions have not been ended since and whose role still permits connections. Using a code again revokes its
 * key, because the code was leaked. Throws OAuthError.
 */
export async function exchangeCode(
  hub: ConnectionsHub,
  request: Record<string, string>,
): Promise<{ secret: string; expiresIn: number }> {
  const parsed = TokenRequest.safeParse(request);
  if (!parsed.success) {
    const place = String(parsed.error.issues[0]?.path[0]);
    throw new OAuthError("invalid_request", `${place} is missing or malformed.`);
  }
  const { code, client_id, redirect_uri, code_verifier, resource = getResource(hub) } = parsed.data;
  if (resource !== getResource(hub)) throw new OAuthError("invalid_target", `resource must be ${getResource(hub)}.`);
  const challenge = createHash("sha256").update(code_verifier).digest("base64url");
  const secret = newSecret("mk");
  const now = hub.now();
  const hash = hashSecret(code);
  const [used] = await useCode(
    hub.db,
    hash,
    client_id,
    redirect_uri,
    challenge,
    resource,
    newId(),
    getSecretPrefix(secret),
    hashSecret(secret),
    now,
    new Date(now.getTime() + CONNECTION_DAYS * DAY_MS),
  );
  if (used) return { secret, expiresIn: (CONNECTION_DAYS * DAY_MS) / 1000 };
  const [reused] = await selectByCode(hub.db, hash);
  if (reused?.key_id) await revokeAppKey(hub.db, { id: reused.key_id }, now);
  throw new OAuthError("invalid_grant", "The code is unknown, used, expired, or of another request.");
}

// One statement, so that a crash leaves either the code or the key. The person who allowed the connection is locked: what
// ends their sessions or changes their role happens either before, and there is no key, or after, and finds the key.
const useCode = statement({
  params: [bytea, text, text, text, text, uuid, text, bytea, timestamptz, timestamptz],
  row: { id: uuid },
  text: `
    WITH allowed AS MATERIALIZED (
      SELECT connection.id
      FROM connection
      JOIN person ON person.id = connection.person_id AND person.session_version = connection.person_version
      JOIN account ON account.id = connection.account_id AND account.session_version = connection.account_version
      JOIN membership ON membership.account_id = account.id AND membership.person_id = person.id
        AND ${isDevelopingSql("membership")}
      WHERE connection.code_hash = $1 AND NOT account.suspended AND account.closes_at IS NULL FOR SHARE OF person, account, membership
    ),
    used AS (
      UPDATE connection SET key_id = $6 FROM allowed
      WHERE connection.id = allowed.id AND key_id IS NULL AND code_expires_at > $9
        AND client_id = $2 AND redirect_uri = $3 AND code_challenge = $4 AND resource = $5
      RETURNING account_id, person_id, client_name AS name, spend_limit
    ),
    ${insertAppKeySql({ id: "$6", prefix: "$7", hash: "$8", createdAt: "$9", expiresAt: "$10" })}
    SELECT id FROM inserted_key`,
});

const selectByCode = statement({
  params: [bytea],
  row: { key_id: nullable(uuid) },
  text: "SELECT key_id FROM connection WHERE code_hash = $1",
});

/** Deletes up to `limit` connections whose code expired unused a day ago, and returns how many. */
export const purgeUnusedCodes = async (hub: ConnectionsHub, limit: number): Promise<number> =>
  (await deleteUnused(hub.db, new Date(hub.now().getTime() - DAY_MS), limit)).length;

const deleteUnused = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    DELETE FROM connection WHERE id IN (
      SELECT id FROM connection WHERE key_id IS NULL AND code_expires_at < $1
      ORDER BY code_expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});

/** Deletes the connections of the person `$1` to the account `$2` whose code was not exchanged yet. */
export const deleteUnusedCodes = statement({
  params: [int4, int4],
  row: {},
  text: "DELETE FROM connection WHERE person_id = $1 AND account_id = $2 AND key_id IS NULL",
});
