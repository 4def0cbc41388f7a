import type { Actor, Ctx } from "../../context";

/** Returns the id of the key or session by which somebody acts; null for a program without either. */
export const getCredentialId = (actor: Actor): string | null =>
  actor.kind === "key" ? actor.id : (actor.sessionId ?? null);

/**
 * Returns SQL: the CTE `caller`, one row while the credential still holds by which the caller was let in. For what
 * outlives its credential: the row is locked, so that a revocation comes either before, and nothing is made, or after.
 */
export const callerSql = (actor: Actor, accountId: string, credential: string): string =>
  actor.kind === "key"
    ? `caller AS MATERIALIZED (
         SELECT account_id AS id FROM api_key
         WHERE id = ${credential}::uuid AND account_id = ${accountId} AND revoked_at IS NULL FOR SHARE)`
    : `caller AS MATERIALIZED (
         SELECT id FROM account
         WHERE id = ${accountId} AND NOT suspended
           AND (${credential}::uuid IS NULL
                OR session_version = (SELECT version FROM session WHERE id = ${credential}::uuid))
         FOR SHARE)`;

/** Returns whether the caller's credential still holds. */
export async function isCallerValid({ db, actor, account }: Ctx): Promise<boolean> {
  const sql = `WITH ${callerSql(actor, "$1", "$2")} SELECT id FROM caller`;
  return (await db.query(sql, [account.id, getCredentialId(actor)])).length > 0;
}
