import { int4, textOf, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Queryable } from "../../db/client";
import { forgetSlackUrl } from "../alerts";
import { endAccountSessions } from "../accounts";
import { removeFactors } from "../factors";
import { deleteUnusedCodes } from "../connections";
import { revokeKeys, revokeKeysOf } from "../keys";
import { deleteMember, deleteOtherMembers, selectMemberships } from "../people";
import { unlinkIdentities } from "../identities";
import { forgetCustomer } from "../payment-customers";
import { deleteTaxProfile } from "../tax";
import { revokeEndpoints } from "../endpoints";
import { applyEndings } from "../generations/end";
import type { Status } from "../generations/row";

/** What was revoked and canceled for a person whose e-mail address was unverified. */
export interface RevokedAccess {
  /** The accounts that are the person's own. */
  accounts: number[];
  keys: number;
  webhooks: number;
  /** Ids of the generations that were canceled. */
  generations: string[];
}

/**
 * Revokes a person's linked identities and second factors in the caller's transaction, which has ended their sessions, and
 * thereby the codes of apps. For each account that is their own, removes the other members, whom they invited by link, and the
 * open invitations and the URL of alerts, revokes the keys and webhooks, deletes the payment customer and the tax details, and
 * cancels and settles every generation, trainings included, that has not started or runs on a worker. Chats and generations that
 * run at a provider end on their own. The person also loses their membership in other people's accounts, which they joined by
 * link: nobody there has verified who owns the address.
 */
export async function revokeUnverifiedAccess(tx: Queryable, personId: number, now: Date): Promise<RevokedAccess> {
  await unlinkIdentities(tx, personId);
  await removeFactors(tx, personId);
  const memberships = await selectMemberships(tx, personId);
  for (const { id } of memberships.filter(({ is_own }) => !is_own)) await leaveAccount(tx, id, personId, now);
  const accounts = memberships.filter(({ is_own }) => is_own).map(({ id }) => id);
  const revoked: RevokedAccess = { accounts, keys: 0, webhooks: 0, generations: [] };
  for (const id of accounts) {
    await deleteOtherMembers(tx, id, personId);
    await deleteInvitations(tx, id);
    await forgetSlackUrl(tx, id);
    const { keys, webhooks, generations } = await revokeAccount(tx, id, now);
    revoked.keys += keys;
    revoked.webhooks += webhooks;
    revoked.generations.push(...generations);
  }
  return revoked;
}

async function leaveAccount(tx: Queryable, accountId: number, personId: number, now: Date): Promise<void> {
  await deleteMember(tx, accountId, personId);
  await deleteUnusedCodes(tx, personId, accountId);
  await deleteInvitationsOf(tx, accountId, personId);
  await revokeKeysOf(tx, accountId, personId, now, []);
}

/** Withdraws all invitations of the account `$1`. */
const deleteInvitations = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM invitation WHERE account_id = $1",
});

/**
 * Withdraws the invitations to the account `$1` that the person `$2` made. Whoever loses the right to invite may know their
 * links, so run it in the transaction that ends the right, after it has locked the person or their membership: concurrent
 * requests of the person lock these first.
 */
export const deleteInvitationsOf = statement({
  params: [int4, int4],
  row: {},
  text: "DELETE FROM invitation WHERE account_id = $1 AND invited_by = $2",
});

async function revokeAccount(tx: Queryable, accountId: number, now: Date) {
  // Keys create webhooks, so keys are revoked first. Both are revoked before the cancellations, which then create no
  // deliveries.
  const keys = await revokeKeys(tx, accountId, now);
  const webhooks = await revokeEndpoints(tx, accountId, now);
  const rows = await selectCancelable(tx, accountId);
  const cancellations = rows.map(({ id, status, fence }) => ({ id, from: [status], to: "canceled" as const, fence }));
  const ended = await applyEndings(tx, cancellations, now);
  await endAccountSessions(tx, accountId);
  // The account is locked, so a customer that is created concurrently is found here, or rejected afterwards.
  await forgetCustomer(tx, accountId);
  await deleteTaxProfile(tx, accountId);
  return { keys, webhooks, generations: ended.map(({ id }) => id) };
}

/**
 * Returns whether the account has a generation that `revokeUnverifiedAccess` would cancel. While the account is locked, the
 * result does not change: no new generation is accepted, and no queued one starts.
 */
export const hasCancelableGenerations = async (tx: Queryable, accountId: number): Promise<boolean> =>
  (await selectCancelable(tx, accountId)).length > 0;

const selectCancelable = statement({
  params: [int4],
  row: { id: uuid, status: textOf<Status>(), fence: int4 },
  text: `
    SELECT id, status, fence FROM generation
    WHERE account_id = $1 AND (status IN ('queued', 'awaiting_supply') OR status = 'running' AND provider = 'worker')`,
});
