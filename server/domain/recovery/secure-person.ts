import type { Queryable } from "../../db/client";
import { isCheckViolation } from "../../db/violation";
import { applyReset } from "../passwords";
import { verifyAddress } from "../signup";
import { cancelPendingDeliveries } from "../endpoints";
import type { RecoveryHub } from "./hub";
import { hasCancelableGenerations, type RevokedAccess, revokeUnverifiedAccess } from "./revoke-unverified-access";

/** The result for a person whose address was verified. */
export const NOTHING_REVOKED: RevokedAccess = { accounts: [], keys: 0, webhooks: 0, generations: [] };

/**
 * Sets the password of a person who has proven that they receive the e-mail of their address, in the caller's transaction,
 * and ends all their sessions. If the address was unverified, a stranger may have signed up with it, whose access is
 * revoked.
 */
export async function securePerson(
  tx: Queryable,
  { id, verified }: { id: number; verified: boolean },
  passwordHash: string,
  now: Date,
): Promise<RevokedAccess> {
  // Runs first, because it locks the person: what their sessions create concurrently is either created before and found
  // below, or not at all.
  await applyReset(tx, id, passwordHash);
  const revoked = verified ? NOTHING_REVOKED : await revokeUnverifiedAccess(tx, id, now);
  await verifyAddress(tx, id, now);
  for (const account of revoked.accounts)
    if (await hasCancelableGenerations(tx, account)) throw new AcceptedMeanwhile();
  return revoked;
}

/** Thrown when a generation was accepted after the others were canceled and before the account was locked. */
class AcceptedMeanwhile extends Error {}

/** Runs a transaction that may secure a person, and repeats it if a generation was accepted, or an owner left, concurrently. */
export async function runSecuring<T>(hub: RecoveryHub, work: (tx: Queryable) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await hub.db.transaction(work);
    } catch (error) {
      // Another owner of an account that the person leaves left it first, so it is the person's own now.
      const isLastOwner = isCheckViolation(error, "membership_has_owner");
      if (!isLastOwner && !(error instanceof AcceptedMeanwhile)) throw error;
    }
  }
}

/** Publishes the cancellations of a committed revocation, and cancels pending deliveries. */
export async function announceRevoked(
  hub: RecoveryHub,
  { accounts, webhooks, generations }: RevokedAccess,
): Promise<void> {
  for (const id of generations) hub.publish({ name: "generation/canceled", data: { id } });
  if (webhooks > 0) for (const accountId of accounts) await cancelPendingDeliveries(hub, { accountId });
}
