import type { Queryable } from "../../db/client";
import { applyReset } from "../passwords";
import { verifyAddress } from "../signup";
import { cancelPendingDeliveries } from "../endpoints";
import type { RecoveryHub } from "./hub";
import { hasCancelableGenerations, type RevokedAccess, revokeUnverifiedAccess } from "./revoke-unverified-access";

const NOTHING_REVOKED: RevokedAccess = { accounts: [], keys: 0, webhooks: 0, generations: [] };

/**
 * Gives a person a new password within the caller's transaction, and ends all their sessions, because they have proven
 * that they read the e-mail of their address. If it was unverified, somebody else may have signed up with it: that access
 * is revoked.
 */
export async function securePerson(
  tx: Queryable,
  { id, verified }: { id: number; verified: boolean },
  passwordHash: string,
  now: Date,
): Promise<RevokedAccess> {
  // First, because it locks the person: what their sessions create at this moment is created before and found below, or not
  // at all.
  await applyReset(tx, id, passwordHash);
  const revoked = verified ? NOTHING_REVOKED : await revokeUnverifiedAccess(tx, id, now);
  await verifyAddress(tx, id, now);
  for (const account of revoked.accounts)
    if (await hasCancelableGenerations(tx, account)) throw new AcceptedMeanwhile();
  return revoked;
}

/** Thrown when a generation was accepted after the others were canceled and before the account was locked. */
class AcceptedMeanwhile extends Error {}

/** Runs a transaction that may secure a person; again while generations are accepted beside it. */
export async function runSecuring<T>(hub: RecoveryHub, work: (tx: Queryable) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await hub.db.transaction(work);
    } catch (error) {
      if (!(error instanceof AcceptedMeanwhile)) throw error;
    }
  }
}

/** Tells the job engine, and cancels deliveries, once the revocation is committed. */
export async function announceRevoked(
  hub: RecoveryHub,
  { accounts, webhooks, generations }: RevokedAccess,
): Promise<void> {
  for (const id of generations) hub.publish({ name: "generation/canceled", data: { id } });
  if (webhooks > 0) for (const accountId of accounts) await cancelPendingDeliveries(hub, { accountId });
}
