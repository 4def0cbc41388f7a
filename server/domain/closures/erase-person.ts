import type { Queryable } from "../../db/client";
import { bool, int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isCheckViolation } from "../../db/violation";
import { AppError } from "../../errors";
import { deleteUnusedCodes } from "../connections";
import { removeFactors } from "../factors";
import { unlinkIdentities } from "../identities";
import { revokeKeysOf } from "../keys";
import { eraseActionTexts, eraseTargetTexts, operate, type Operator } from "../operator-actions";
import { deleteResets } from "../passwords";
import {
  deleteMemberships,
  endPersonSessions,
  forgetPerson,
  getPerson,
  leaveAccounts,
  selectMemberships,
} from "../people";
import { deleteInvitationsOf } from "../recovery";
import type { ClosuresHub } from "./hub";
import { insertPending } from "./insert-pending";

/**
 * Erases a person by an operator: their sessions, memberships, and the keys that they made end at once, and the rest is erased
 * by `erasePerson`. Throws a 404 for an unknown person, and a 409 for the last owner of an account and for somebody with a role
 * of the hub.
 */
export async function requestPersonErasure(
  hub: ClosuresHub,
  operator: Operator,
  { email, reason }: { email: string; reason?: string | null },
): Promise<number> {
  const { id } = await getPerson(hub, email);
  const order = { action: "person.erase", target: { kind: "person", id: String(id) }, reason };
  await operate(hub, operator, order, async (tx) => {
    const [person] = await lockPerson(tx, id);
    if (person!.has_role) throw new AppError("invalid_state", "This person operates the hub. Withdraw the role first.");
    await endPersonSessions(tx, id);
    await revokeSecrets(tx, id, hub.now());
    await deleteMemberships(tx, id);
    await insertPending(tx, "person", [String(id)]);
    return { before: null, after: { erased: true }, result: undefined };
  }).catch((error: unknown) => {
    if (!isCheckViolation(error, "membership_has_owner")) throw error;
    throw new AppError(
      "invalid_state",
      "This person is the only owner of an account. Close it, or make somebody else its owner.",
    );
  });
  return id;
}

/** Revokes what a person knows the secret of: their keys and connected apps, and the links of their invitations. */
async function revokeSecrets(tx: Queryable, id: number, now: Date): Promise<void> {
  for (const account of await selectMemberships(tx, id)) {
    await deleteUnusedCodes(tx, id, account.id);
    await deleteInvitationsOf(tx, account.id, id);
    await revokeKeysOf(tx, account.id, id, now, []);
  }
}

/**
 * Erases what the hub knows of a person, in the caller's transaction: address, password, identities, sessions, second
 * factors, and the texts of the audit log about them. A restored backup also brings back memberships and keys, which end
 * again. The row stays, because records of others refer to its id.
 */
export async function erasePerson(tx: Queryable, id: number, now: Date): Promise<void> {
  const [person] = await lockPerson(tx, id);
  if (!person) return;
  await revokeSecrets(tx, id, now);
  await unlinkIdentities(tx, id);
  await removeFactors(tx, id);
  await deleteResets(tx, id);
  await deleteSessions(tx, id);
  await deleteMessages(tx, id);
  await deleteInvitations(tx, id, person.email);
  await eraseTargetTexts(tx, "person", String(id));
  await eraseActionTexts(tx, person.email);
  await leaveAccounts(tx, id);
  await forgetPerson(tx, id);
}

const lockPerson = statement({
  params: [int4],
  row: { email: text, has_role: bool },
  text: "SELECT email, hub_role IS NOT NULL AS has_role FROM person WHERE id = $1 FOR NO KEY UPDATE",
});

const deleteSessions = statement({ params: [int4], row: {}, text: "DELETE FROM session WHERE person_id = $1" });

const deleteMessages = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM alert_message WHERE person_id = $1",
});

// An invitation shows who sent it.
const deleteInvitations = statement({
  params: [int4, text],
  row: {},
  text: "DELETE FROM invitation WHERE invited_by = $1 OR email = $2",
});
