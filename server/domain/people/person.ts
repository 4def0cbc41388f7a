import type { PersonModel } from "../../../prisma/client/models";
import type { Queryable } from "../../db/client";
import { bool, int4, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { normalizeEmail } from "../accounts";
import type { PeopleHub } from "./hub";

/** Returns the person with this e-mail address, for the operator. Throws a 404 when there is none. */
export async function getPerson(hub: PeopleHub, email: string): Promise<PersonModel> {
  const person = await hub.db.prisma.person.findUnique({ where: { email: normalizeEmail(email) } });
  if (!person) throw new AppError("resource_not_found", `There is no person with the address ${email}.`);
  return person;
}

/** Ends every session of a person, on every device and for every account, at once. */
export async function signOutEverywhere(hub: PeopleHub, personId: number): Promise<void> {
  await hub.db.prisma.person.updateMany({ where: { id: personId }, data: { sessionVersion: { increment: 1 } } });
}

/** Ends every session of the person `$1` within the caller's transaction. */
export const endPersonSessions = statement({
  params: [int4],
  row: {},
  text: "UPDATE person SET session_version = session_version + 1 WHERE id = $1",
});

/** Marks a person's e-mail address as verified. The person stays locked until the end of the transaction. */
export async function verifyPerson(tx: Queryable, personId: number, now: Date): Promise<void> {
  await updateVerified(tx, personId, now);
}

/** Returns the ids of the accounts that the person `$1` owns, in ascending order. */
export const selectOwnedAccounts = statement({
  params: [int4],
  row: { id: int4 },
  text: "SELECT account_id AS id FROM membership WHERE person_id = $1 AND role = 'owner' ORDER BY 1",
});

const updateVerified = statement({
  params: [int4, timestamptz],
  row: {},
  text: "UPDATE person SET email_verified_at = coalesce(email_verified_at, $2) WHERE id = $1",
});

/** Returns the person with an e-mail address, locked until the end of the transaction; a new one has no password. */
export async function createPerson(
  tx: Queryable,
  email: string,
  now: Date,
): Promise<{ id: number; verified: boolean }> {
  const [person] = await insertPerson(tx, email, now);
  return person!;
}

const insertPerson = statement({
  params: [text, timestamptz],
  row: { id: int4, verified: bool },
  text: `
    INSERT INTO person (email, created_at) VALUES ($1, $2)
    ON CONFLICT (email) DO UPDATE SET email = excluded.email
    RETURNING id, email_verified_at IS NOT NULL AS verified`,
});
