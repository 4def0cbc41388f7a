import type { Queryable } from "../../db/client";
import { bytea, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";

interface AppKeySql {
  id: string;
  prefix: string;
  hash: string;
  createdAt: string;
  expiresAt: string;
}

/**
 * Returns SQL for the CTE `inserted_key`, which inserts the key of a connected app. The key is valid only for `/mcp`, and has
 * an expiry and a spend limit that never resets. Needs the CTE `used (account_id, person_id, name, spend_limit)`.
 */
export const insertAppKeySql = ({ id, prefix, hash, createdAt, expiresAt }: AppKeySql): string => `
  inserted_key AS (
    INSERT INTO api_key (id, account_id, name, prefix, hash, scope, created_at, expires_at, spend_limit, person_id)
    SELECT ${id}, account_id, name, ${prefix}, ${hash}, 'mcp', ${createdAt}, ${expiresAt}, spend_limit, person_id FROM used
    RETURNING id
  )`;

/** Revokes the key of a connected app, whatever the state of its account. */
export const revokeAppKey = (db: Queryable, key: { id: string } | { hash: Buffer }, now: Date): Promise<unknown> =>
  "id" in key ? revokeById(db, key.id, now) : revokeByHash(db, key.hash, now);

const revokeSql = (conditionSql: string) =>
  `UPDATE api_key SET revoked_at = $2 WHERE ${conditionSql} AND scope = 'mcp' AND revoked_at IS NULL`;
const revokeById = statement({ params: [uuid, timestamptz], row: {}, text: revokeSql("id = $1") });
const revokeByHash = statement({ params: [bytea, timestamptz], row: {}, text: revokeSql("hash = $1") });
