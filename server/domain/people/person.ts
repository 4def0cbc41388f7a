import type { PersonModel } from "../../../prisma/client/models";
import type { Queryable } from "../../db/client";
import { bool, int4, text, textOf, timestamptz } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { normalizeEmail } from "../../lib/normalize-email";
import type { PeopleHub } from "./hub";
import { hasAccountSql } from "./sql";
import type { Role } from "../../context";

/** Returns the person with this e-mail address. Throws a 404 if there is none. */
export async function getPerson(hub: PeopleHub, email: string): Promise<PersonModel> {
  const person = await hub.db.prisma.person.findUnique({ where: { email: normalizeEmail(email) } });
  if (!person) throw new AppError("resource_not_found", `There is no person with the address ${email}.`);
  return person;
}

/** Ends every session of a person, on every device and for every account. */
export const signOutEverywhere = async (hub: PeopleHub, personId: number): Promise<void> =>
  void (await endPersonSessions(hub.db, personId));

/** Ends every session of the person `$1`. */
export const endPersonSessions = statement({
  params: [int4],
  row: {},
  text: "UPDATE person SET session_version = session_version + 1 WHERE id = $1",
});

/** Marks the e-mail address of the person `$1` as verified. The person stays locked until the end of the transaction. */
export const verifyPerson = statement({
  params: [int4, timestamptz],
  row: {},
  text: "UPDATE person SET email_verified_at = coalesce(email_verified_at, $2) WHERE id = $1",
});

/**
 * Returns the accounts of which the person `$1` is a member, in the order of their ids, and whether each is the person's
 * own: they own it, and it has their address or no other owner.
 */
export const selectMemberships = statement({
  params: [int4],
  row: { id: int4, is_own: bool },
  text: `
    SELECT a.id, m.role = 'owner' AND (a.email = p.email OR NOT EXISTS (
             SELECT FROM membership o WHERE o.account_id = a.id AND o.role = 'owner' AND o.person_id <> p.id)) AS is_own
    FROM membership m JOIN account a ON a.id = m.account_id JOIN person p ON p.id = m.person_id
    WHERE m.person_id = $1 ORDER BY a.id`,
});

/** Removes all members of the account `$1` but `$2`. */
export const deleteOtherMembers = statement({
  params: [int4, int4],
  row: {},
  text: "DELETE FROM membership WHERE account_id = $1 AND person_id <> $2",
});

/**
 * Returns the person with an e-mail address, locked until the end of the transaction, and whether they have an account to
 * sign in to. Creates one without a password if there is none.
 */
export const createPerson = async (tx: Queryable, email: string, now: Date): Promise<RowOf<typeof foundPerson>> =>
  (await insertPerson(tx, email, now))[0]!;

const foundPerson = { id: int4, verified: bool, has_account: bool };
const insertPerson = statement({
  params: [text, timestamptz],
  row: foundPerson,
  text: `
    INSERT INTO person (email, created_at) VALUES ($1, $2)
    ON CONFLICT (email) DO UPDATE SET email = excluded.email
    RETURNING id, email_verified_at IS NOT NULL AS verified, ${hasAccountSql("person.id")} AS has_account`,
});

/** Inserts a person with an unverified address and a password; returns no row if there is one with the address. */
export const insertPersonWithPassword = statement({
  params: [text, text, timestamptz],
  row: { id: int4 },
  text: `
    INSERT INTO person (email, password_hash, created_at) VALUES ($1, $2, $3)
    ON CONFLICT (email) DO NOTHING RETURNING id`,
});

/** Makes the person `$2` a member of the account `$1`; an existing member keeps the role, and no row is returned. */
export const addMember = statement({
  params: [int4, int4, text, timestamptz],
  row: { person_id: int4 },
  text: `
    INSERT INTO membership (account_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account_id, person_id) DO NOTHING RETURNING person_id`,
});

/** Changes the role of the member `$2` of the account `$1`; returns no row if there is none. */
export const updateRole = statement({
  params: [int4, int4, text],
  row: { role: textOf<Role>() },
  text: "UPDATE membership SET role = $3 WHERE account_id = $1 AND person_id = $2 RETURNING role",
});

/** Removes the member `$2` of the account `$1`; returns no row if there was none. */
export const deleteMember = statement({
  params: [int4, int4],
  row: { role: textOf<Role>() },
  text: "DELETE FROM membership WHERE account_id = $1 AND person_id = $2 RETURNING role",
});

/** Removes the person `$1` from all accounts. */
export const deleteMemberships = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM membership WHERE person_id = $1",
});

/** Removes the person `$1` from all accounts but those of which they are the only owner, as a restored backup may have them. */
export const leaveAccounts = statement({
  params: [int4],
  row: {},
  text: `
    DELETE FROM membership m WHERE person_id = $1 AND (role <> 'owner' OR EXISTS (
      SELECT FROM membership o WHERE o.account_id = m.account_id AND o.role = 'owner' AND o.person_id <> $1))`,
});

/** Replaces the address of the person `$1` and removes the password: nobody can sign in as them. Ends their sessions. */
export const forgetPerson = statement({
  params: [int4],
  row: {},
  text: `
    UPDATE person SET email = 'erased-' || id || '@erased.invalid', email_verified_at = NULL, password_hash = NULL, hub_role = NULL,
      session_version = session_version + 1
    WHERE id = $1`,
});
