import type { Actor, Ctx } from "../../context";

/** Returns the id of the actor's API key or session; null for an actor without either. */
export const getCredentialId = (actor: Actor): string | null =>
  actor.kind === "key" ? actor.id : (actor.sessionId ?? null);

/**
 * Returns SQL for the CTE `caller`, which has one row while the actor's credential is valid. Use it to create records
 * that outlive the credential: the row is locked, so a concurrent revocation happens either before the insert, which
 * then inserts nothing, or after it.
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

/** Returns whether the caller's credential is still valid. */
export async function isCallerValid({ hub, actor, account }: Ctx): Promise<boolean> {
  const sql = `WITH ${callerSql(actor, "$1", "$2")} SELECT id FROM caller`;
  return (await hub.db.query(sql, [account.id, getCredentialId(actor)])).length > 0;
}
