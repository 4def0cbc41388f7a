import type { Ctx } from "../../context";
import { int4, int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isPaymentUnavailable } from "../../payments/provider";
import { refreshMethod, requireProvider, selectCustomer } from "../payment-customers";
import type { ReconciliationHub } from "./hub";
import { reconcilePayment } from "./reconcile-payment";
import { applyAllEvents, describeError, reconcileEvents, type ReconciliationFailure } from "./payment-events";
import { sendRefunds } from "./refund";

const RECENT_MS = 86_400_000;

/**
 * Reconciles the account's recent pending payments and its saved method, for a customer who returns before the webhooks
 * arrive. A failure is logged for the operator and does not stop the rest; throws PaymentUnavailable at the end.
 */
export async function checkOwnPayments({ hub, account }: Ctx<ReconciliationHub>): Promise<void> {
  requireProvider(hub);
  const pending = await selectOwnPending(hub.db, account.id, new Date(hub.now().getTime() - RECENT_MS));
  const [customer] = await selectCustomer(hub.db, account.id);
  const checks: (() => Promise<unknown>)[] = pending.map((payment) => () => reconcilePayment(hub, payment.id));
  if (customer) checks.push(() => refreshMethod(hub, customer.customer_ref));
  let unavailable: Error | undefined;
  for (const check of checks) {
    await check().catch((error: unknown) => {
      if (isPaymentUnavailable(error)) unavailable = error;
      hub.log.warn({ err: error, account: account.id }, "payment could not be checked");
    });
  }
  if (unavailable) throw unavailable;
}

const selectOwnPending = statement({
  params: [int4, timestamptz],
  row: { id: uuid },
  text: `
    SELECT id FROM payment WHERE account_id = $1 AND kind = 'top_up' AND state = 'pending' AND provider_ref IS NOT NULL
      AND created_at > $2 ORDER BY id DESC LIMIT 10`,
});

const MAX_CHECKED = 50;

/**
 * Reconciles the pending payments that are due for it, at intervals that grow with their age. Charges nothing. Returns how
 * many were due.
 */
export async function checkPendingPayments(hub: ReconciliationHub): Promise<number> {
  const due = await claimDueChecks(hub.db, hub.now(), MAX_CHECKED);
  for (const { id, provider_ref, account_id } of due) {
    if (provider_ref === null) continue;
    await reconcilePayment(hub, id).catch((error: unknown) => {
      hub.log.warn({ err: error, payment: id, account: account_id }, "payment could not be checked");
    });
  }
  return due.length;
}

// Pending payments that the provider knows, and those that need attention, which an operator may have dealt with since; the
// oldest first.
const selectUnfinished = statement({
  params: [],
  row: { id: uuid },
  text: `
    SELECT id FROM payment WHERE provider_ref IS NOT NULL AND state = 'pending' OR error IS NOT NULL
    ORDER BY created_at`,
});

// Expires payments that were never sent to the provider, which have no page on which they could be paid.
const claimDueChecks = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid, account_id: int4, provider_ref: nullable(text) },
  text: `
    WITH due AS MATERIALIZED (
      SELECT id, created_at, provider_ref IS NULL AND kind = 'top_up' AND created_at < $1::timestamptz - interval '1 hour' AS is_abandoned
      FROM payment WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE payment p SET
      state = CASE WHEN is_abandoned THEN 'expired' ELSE p.state END,
      settled_at = CASE WHEN is_abandoned THEN $1 END,
      next_check_at = CASE WHEN NOT is_abandoned THEN $1::timestamptz + least(greatest($1::timestamptz - p.created_at, interval '5 minutes'), interval '1 day') END
    FROM due WHERE p.id = due.id RETURNING p.id, p.account_id, p.provider_ref`,
});

/** The counts of a reconciliation. */
interface Reconciliation {
  /** Events whose webhooks had not arrived. */
  found: number;
  applied: number;
  refunds: number;
  /** Pending payments, and those that need attention, that were checked. */
  checked: number;
  failed: ReconciliationFailure[];
}

/**
 * Reconciles everything with the providers now: events of the last `days`, stored events that wait for their next attempt,
 * open refunds, pending payments and those that need attention. Failures are collected and do not stop the rest.
 */
export async function reconcileEverything(
  hub: ReconciliationHub,
  { days }: { days?: number } = {},
): Promise<Reconciliation> {
  const failed: ReconciliationFailure[] = [];
  const report = (id: string) => (error: unknown) => void failed.push({ id, error: describeError(error) });
  const found = (await reconcileEvents(hub, days).catch(report("events"))) ?? 0;
  const events = await applyAllEvents(hub);
  const refunds = await sendRefunds(hub, null);
  const unfinished = await selectUnfinished(hub.db);
  for (const { id } of unfinished) await reconcilePayment(hub, id).catch(report(id));
  failed.unshift(...events.failed, ...refunds.failed);
  return { found, applied: events.applied, refunds: refunds.sent, checked: unfinished.length, failed };
}
