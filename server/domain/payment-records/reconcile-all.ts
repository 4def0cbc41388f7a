import {
  applyAllEvents,
  describeError,
  reconcileEvents,
  reconcilePayment,
  selectAllPending,
  sendAllOpenRefunds,
  type Trouble,
} from "../reconciliation";
import type { PaymentRecordsHub } from "./hub";

/** What was found and done, and what could not be. */
export interface Reconciliation {
  /** Events that had not arrived. */
  found: number;
  applied: number;
  refunds: number;
  /** Pending payments. */
  checked: number;
  /** Ids of events, refunds and payments, and what is wrong with each. */
  failed: Trouble[];
}

/**
 * Compares everything with the providers now: events of the last days, those that wait for their next try, open refunds
 * and pending payments. What is wrong with one is reported, and the next one is looked at.
 */
export async function reconcileEverything(hub: PaymentRecordsHub): Promise<Reconciliation> {
  const failed: Trouble[] = [];
  const report = (id: string) => (error: unknown) => void failed.push({ id, error: describeError(error) });
  const found = (await reconcileEvents(hub).catch(report("events"))) ?? 0;
  const events = await applyAllEvents(hub);
  const refunds = await sendAllOpenRefunds(hub);
  const pending = await selectAllPending(hub.db);
  for (const { id } of pending) await reconcilePayment(hub, id).catch(report(id));
  failed.unshift(...events.failed, ...refunds.failed);
  return { found, applied: events.applied, refunds: refunds.sent, checked: pending.length, failed };
}
