import { reconcileAccount, refundBalance } from "../reconciliation";
import { closeAccount, giveUpBalance } from "./close-account";
import { type Closure, selectDueClosures, selectUnerasedClosures } from "./closure";
import { eraseAccount } from "./erase-account";
import { findWaits } from "./find-waits";
import type { ClosuresHub } from "./hub";

const MAX_CLOSURES = 20;
const REFUND_REASON = "The account was closed";

/**
 * Takes the next step of closings that are due: refunds the balance, closes the account once nothing runs and no money is in
 * transit, then erases it. Returns how many were due. Can be interrupted at any point.
 */
export async function advanceClosures(hub: ClosuresHub): Promise<number> {
  const due = await selectDueClosures(hub.db, hub.now(), MAX_CLOSURES);
  for (const closure of due) {
    await advance(hub, closure).catch((error: unknown) => {
      hub.log.warn({ err: error, account: closure.account_id }, "closing continues with the next sweep");
    });
  }
  return due.length;
}

async function advance(hub: ClosuresHub, closure: Closure): Promise<void> {
  if (closure.closed_at) await settleLateMoney(hub, closure);
  else if (!(await settleAndClose(hub, closure))) return;
  if (!closure.erased_at) await eraseAccount(hub, closure);
}

/** Returns whether the account is closed. */
async function settleAndClose(hub: ClosuresHub, closure: Closure): Promise<boolean> {
  const { account_id: id, gives_up_balance, requested_at: since } = closure;
  if ((await findWaits(hub.db, id, true)).length > 0) return false;
  if (!gives_up_balance) await refundBalance(hub, id, { reason: REFUND_REASON, since });
  return closeAccount(hub, closure);
}

/** Refunds or gives up what a closed account got afterwards: by a late payment, a failed refund or a restored backup. */
async function settleLateMoney(hub: ClosuresHub, closure: Closure): Promise<void> {
  const { account_id: id, gives_up_balance, requested_at: since, available } = closure;
  if (available === 0n) return;
  await reconcileAccount(hub, id);
  if (!gives_up_balance) await refundBalance(hub, id, { reason: REFUND_REASON, since });
  await hub.db.transaction(async (tx) => {
    if ((await findWaits(tx, id, gives_up_balance)).length === 0) await giveUpBalance(tx, id, hub.now());
  });
}

/** Erases the accounts of a restored hub that are closed; their money is settled by the sweep. */
export async function eraseClosedAccounts(hub: ClosuresHub): Promise<void> {
  for (const closure of await selectUnerasedClosures(hub.db)) await eraseAccount(hub, closure);
}
