import type { Actor, Ctx } from "../../context";
import { int4, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";

/** Returns the id of the actor's API key or session; null for an actor without either. */
export const getCredentialId = (actor: Actor): string | null =>
  actor.kind === "key" ? actor.id : (actor.sessionId ?? null);

/**
 * Returns SQL for the CTE `caller`, which has one row while the actor's credential is valid. Use it to create records
 * that outlive the credential: the row is locked, so a concurrent revocation happens either before the insert, which
 * then inserts nothing, or after it.
 */
export const callerSql = (kind: Actor["kind"], accountId: string, credential: string): string =>
  kind === "key"
    ? `caller AS MATERIALIZED (
         SELECT account_id AS id FROM api_key
         WHERE id = ${credential}::uuid AND account_id = ${accountId} AND revoked_at IS NULL FOR SHARE)`
    : `caller AS MATERIALIZED (
         SELECT id FROM account
         WHERE id = ${accountId} AND NOT suspended
           AND (${credential}::uuid IS NULL
                OR session_version = (SELECT version FROM session WHERE id = ${credential}::uuid))
         FOR SHARE)`;

/** Declares a statement that contains `callerSql` for each kind of actor. */
export const forActorKinds = <S>(declare: (kind: Actor["kind"]) => S): Record<Actor["kind"], S> => ({
  key: declare("key"),
  user: declare("user"),
});

/** Returns whether the caller's credential is still valid. */
export async function isCallerValid({ hub, actor, account }: Ctx): Promise<boolean> {
  return (await selectCaller[actor.kind](hub.db, account.id, getCredentialId(actor))).length > 0;
}

const selectCaller = forActorKinds((kind) =>
  statement({
    params: [int4, nullable(uuid)],
    row: { id: int4 },
    text: `WITH ${callerSql(kind, "$1", "$2")} SELECT id FROM caller`,
  }),
);
