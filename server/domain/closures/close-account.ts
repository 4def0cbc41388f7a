import type { Queryable } from "../../db/client";
import { int4 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { lockAccount } from "../accounts";
import { cancelPendingDeliveries, revokeEndpoints } from "../endpoints";
import { revokeKeys } from "../keys";
import { reverseCredit } from "../ledger";
import { forgetCustomer } from "../payment-customers";
import { deleteOtherMembers } from "../people";
import { markClosed } from "./account-state";
import type { Closure } from "./closure";
import { findWaits } from "./find-waits";
import type { ClosuresHub } from "./hub";

/**
 * Closes an account that is due, for good: gives up what is left of its balance, ends its keys, webhooks and sessions, and
 * removes its members. Those who have no other account are erased. Returns whether it is closed; it is not while it waits
 * for something, or if it was kept.
 */
export async function closeAccount(hub: ClosuresHub, { account_id: id, gives_up_balance }: Closure): Promise<boolean> {
  const isClosed = await hub.db.transaction(async (tx) => {
    const [account] = await lockAccount(tx, id);
    if (account!.closed_at) return true;
    if (!account!.closes_at || account!.closes_at > hub.now()) return false;
    if ((await findWaits(tx, id, gives_up_balance)).length > 0) return false;
    await giveUpBalance(tx, id, hub.now());
    await eraseLonePeople(tx, id);
    await endAccount(tx, id, hub.now());
    return true;
  });
  if (isClosed) await cancelPendingDeliveries(hub, { accountId: id });
  return isClosed;
}

/** Gives up what an account has available, as one entry of its ledger, in the transaction that has locked the account. */
export async function giveUpBalance(tx: Queryable, accountId: number, now: Date): Promise<void> {
  const [account] = await lockAccount(tx, accountId);
  const amount = account!.balance - account!.reserved;
  if (amount <= 0n) return;
  const reference = `closing:${now.toISOString()}`;
  const note = "Given up when the account was closed";
  await reverseCredit(tx, accountId, { kind: "given_up", amount, reference, note, mustBeCovered: true }, now);
}

/** Ends everything that acts for an account, in the transaction that has locked it. */
export async function endAccount(tx: Queryable, accountId: number, now: Date): Promise<void> {
  // Keys create webhooks, so keys are revoked first.
  await revokeKeys(tx, accountId, now);
  await revokeEndpoints(tx, accountId, now);
  await forgetCustomer(tx, accountId);
  await deleteInvitations(tx, accountId);
  // Before the members, because only a closed account may be without an owner.
  await markClosed(tx, accountId, now);
  await deleteOtherMembers(tx, accountId, NOBODY);
}

const NOBODY = 0;

/** Withdraws all invitations of the account `$1`. */
const deleteInvitations = statement({
  params: [int4],
  row: {},
  text: "DELETE FROM invitation WHERE account_id = $1",
});

// Whoever operates the hub stays, and so does whoever acts for another account.
const eraseLonePeople = statement({
  params: [int4],
  row: {},
  text: `
    INSERT INTO pending_erasure (kind, id)
    SELECT 'person', p.id::text FROM membership m JOIN person p ON p.id = m.person_id
    WHERE m.account_id = $1 AND p.hub_role IS NULL
      AND NOT EXISTS (SELECT FROM membership o WHERE o.person_id = p.id AND o.account_id <> $1)
    ON CONFLICT DO NOTHING`,
});
