import type { Ctx, Role } from "../../context";
import { int4, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { type RowOf, statement } from "../../db/statement";
import { isCheckViolation, isUniqueViolation } from "../../db/violation";
import { AppError, invalidInput } from "../../errors";
import { deleteUnusedCodes } from "../connections";
import { revokeKeysOf } from "../keys";
import { deleteInvitationsOf } from "../recovery";
import { updateContact } from "../accounts";
import { allowsRole, deleteMember, updateRole } from "../people";
import { deleteSessionsOf, lockSessionsOf } from "../sessions";
import type { MembersHub } from "./hub";

const memberColumns = {
  id: int4,
  email: text,
  role: textOf<Role>(),
  created_at: timestamptz,
  /** Null if the person has not used the account in the last 30 days. */
  last_seen_at: nullable(timestamptz),
  /** How many valid API keys and connected apps are theirs. */
  keys: notNull(int4),
};

/** Returns the people who may act for the account, owners first. */
export const listMembers = ({ hub, account }: Ctx<MembersHub>): Promise<RowOf<typeof memberColumns>[]> =>
  selectMembers(hub.db, account.id, hub.now());

const selectMembers = statement({
  params: [int4, timestamptz],
  row: memberColumns,
  text: `
    SELECT p.id, p.email, m.role, m.created_at,
           (SELECT max(s.last_seen_at) FROM session s WHERE s.person_id = p.id AND s.account_id = $1) AS last_seen_at,
           (SELECT count(*)::int FROM api_key k WHERE k.person_id = p.id AND k.account_id = $1
              AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)) AS keys
    FROM membership m JOIN person p ON p.id = m.person_id WHERE m.account_id = $1
    ORDER BY array_position(ARRAY['owner', 'billing', 'developer', 'viewer'], m.role), p.email`,
});

const keyColumns = {
  id: uuid,
  name: text,
  prefix: text,
  scope: textOf<"api" | "mcp">(),
  last_used_at: nullable(timestamptz),
};

/** Returns the valid API keys and connected apps of a member, newest first. */
export const listMemberKeys = (
  { hub, account }: Ctx<MembersHub>,
  personId: number,
): Promise<RowOf<typeof keyColumns>[]> => selectMemberKeys(hub.db, account.id, personId, hub.now());

const selectMemberKeys = statement({
  params: [int4, int4, timestamptz],
  row: keyColumns,
  text: `
    SELECT id, name, prefix, scope, last_used_at FROM api_key
    WHERE person_id = $2 AND account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
    ORDER BY id DESC LIMIT 1000`,
});

/**
 * Changes a member's role from their next request on. Their API keys and connected apps are revoked if the new role may
 * not have any, and the invitations that they made are withdrawn if it may not manage members. Throws a 404 for an unknown
 * member, and a 409 for the last owner.
 */
export async function changeRole({ hub, account }: Ctx<MembersHub>, personId: number, role: Role): Promise<void> {
  await hub.db
    .transaction(async (tx) => {
      // Concurrent requests of the member lock the membership first, so the next statements find what they create.
      const [changed] = await updateRole(tx, account.id, personId, role);
      if (!changed) throw memberNotFoundError();
      await deleteUnusedCodes(tx, personId, account.id);
      if (!allowsRole(role, "manage")) await deleteInvitationsOf(tx, account.id, personId);
      // A key does what developers do. Whether it may also report payments depends on its owner's role at that time.
      if (!allowsRole(role, "develop")) await revokeKeysOf(tx, account.id, personId, hub.now(), []);
    })
    .catch(rejectLastOwner);
}

/**
 * Removes a member: their sessions for the account end, their API keys and connected apps are revoked, except `keptKeys`, and
 * the invitations that they made are withdrawn. Throws a 404 for an unknown member, and a 409 for the last owner.
 */
export async function removeMember(
  { hub, account }: Ctx<MembersHub>,
  personId: number,
  keptKeys: string[],
): Promise<void> {
  await hub.db
    .transaction((tx) => removeInTransaction(tx, account.id, personId, keptKeys, hub.now()))
    .catch(rejectLastOwner);
}

async function removeInTransaction(
  tx: Queryable,
  accountId: number,
  personId: number,
  keptKeys: string[],
  now: Date,
): Promise<void> {
  // Concurrent requests of the member lock their session, then the membership. The same order avoids deadlocks, and the
  // next statements find what those requests create.
  await lockSessionsOf(tx, personId, accountId);
  const [removed] = await deleteMember(tx, accountId, personId);
  if (!removed) throw memberNotFoundError();
  await deleteSessionsOf(tx, personId, accountId);
  await deleteUnusedCodes(tx, personId, accountId);
  await deleteInvitationsOf(tx, accountId, personId);
  await revokeKeysOf(tx, accountId, personId, now, keptKeys);
}

const memberNotFoundError = () => new AppError("resource_not_found", "There is no such member.");

function rejectLastOwner(error: unknown): never {
  if (!isCheckViolation(error, "membership_has_owner")) throw error;
  throw new AppError("invalid_state", "An account needs an owner. Make somebody else an owner first.");
}

/**
 * Makes a member's address the contact address of the account. It must be verified, so that nobody takes the address of a
 * person who has not signed up yet. Throws a 400 if another account has it, or the person is not a verified member.
 */
export async function changeContact({ hub, account }: Ctx<MembersHub>, personId: number): Promise<void> {
  const [changed] = await updateContact(hub.db, account.id, personId).catch((error: unknown) => {
    if (isUniqueViolation(error)) throw invalidInput("person", "has an account of their own with this address");
    throw error;
  });
  if (!changed) throw invalidInput("person", "must be a member with a verified e-mail address");
}
