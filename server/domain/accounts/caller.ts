import type { Actor, Ctx, Role } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { AccountsHub } from "./hub";

/** What authenticates an actor: a key, a session, or nothing for a program in the hub's process. */
type CredentialKind = "key" | "session" | "program";

/** Returns what authenticates an actor. */
export const credentialKindOf = (actor: Actor): CredentialKind => {
  if (actor.kind === "key") return "key";
  return actor.sessionId === undefined ? "program" : "session";
};

/** Returns the id of the actor's API key or session; null for a program. */
export const getCredentialId = (actor: Actor): string | null =>
  actor.kind === "key" ? actor.id : (actor.sessionId ?? null);

/** The roles that may create what outlives a request: keys, connections and webhooks. Agrees with `people/role.ts`. */
const developingRoles = ["owner", "developer"] as const satisfies readonly Role[];

/** Returns SQL for whether the role of the membership `alias` is one of `developingRoles`. */
export const isDevelopingSql = (alias: string): string =>
  `${alias}.role IN (${developingRoles.map((role) => `'${role}'`).join(", ")})`;

/**
 * Returns SQL for the account and the person of a valid session, if `isAllowed` for their membership. It ends with the locking
 * clause `lock`.
 */
const sessionSql = (accountId: string, session: string, isAllowed: string, lock: string): string => `
      SELECT account.id, person.id AS person_id
      FROM person
      JOIN session ON session.person_id = person.id AND session.person_version = person.session_version
      JOIN account ON account.id = session.account_id AND account.session_version = session.version
      JOIN membership ON membership.account_id = account.id AND membership.person_id = person.id
        AND ${isAllowed}
      WHERE session.id = ${session}::uuid AND account.id = ${accountId} AND NOT account.suspended AND account.closes_at IS NULL ${lock}`;

/**
 * Returns SQL for the CTE `caller (id, person_id)`, which has one row while the actor's credential is valid: the account,
 * and the person of a session, whose role must be one of `developingRoles`. Use it to create records that outlive the
 * credential: its rows are locked, so a concurrent revocation happens either before the insert, which then inserts nothing,
 * or after it. The person is locked first, as in all statements that revoke a person's access, and the account last,
 * because a changed membership of an owner locks it at the commit.
 */
export const callerSql = (kind: CredentialKind, accountId: string, credential: string): string => {
  const texts: Record<CredentialKind, string> = {
    key: `
      SELECT account_id AS id, NULL::integer AS person_id FROM api_key
      WHERE id = ${credential}::uuid AND account_id = ${accountId} AND revoked_at IS NULL FOR SHARE`,
    session: sessionSql(
      accountId,
      credential,
      isDevelopingSql("membership"),
      "FOR SHARE OF person, session, membership, account",
    ),
    program: `
      SELECT id, NULL::integer AS person_id FROM account
      WHERE id = ${accountId} AND NOT suspended AND closes_at IS NULL AND ${credential}::uuid IS NULL FOR SHARE`,
  };
  return `caller AS MATERIALIZED (${texts[kind]})`;
};

/**
 * Returns SQL for the id of an account while the session's person may manage its members. Locks what `callerSql` does, and
 * the account as `lockAccount` does. Use it in the transaction that invites people.
 */
export const lockForManagerSql = (accountId: string, session: string): string =>
  sessionSql(
    accountId,
    session,
    "membership.role = 'owner'",
    "FOR SHARE OF person, session, membership FOR UPDATE OF account",
  );

/** Declares a statement that contains `callerSql` for each kind of credential. */
export const forCredentialKinds = <S>(declare: (kind: CredentialKind) => S): Record<CredentialKind, S> => ({
  key: declare("key"),
  session: declare("session"),
  program: declare("program"),
});

/** Returns whether the caller's credential is still valid. */
export const isCallerValid = async (
  { hub, actor, account }: Ctx<AccountsHub>,
  db: Queryable = hub.db,
): Promise<boolean> => (await selectCaller[credentialKindOf(actor)](db, account.id, getCredentialId(actor))).length > 0;

const selectCaller = forCredentialKinds((kind) =>
  statement({
    params: [int4, nullable(uuid)],
    row: { id: int4 },
    text: `WITH ${callerSql(kind, "$1", "$2")} SELECT id FROM caller`,
  }),
);
