import type { Ctx } from "../../context";
import { int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isPaymentUnavailable } from "../../payments/provider";
import { refreshMethod, requireProvider, selectCustomer } from "../payment-customers";
import type { ReconciliationHub } from "./hub";
import { reconcilePayment } from "./reconcile-payment";

const RECENT_MS = 86_400_000;

/**
 * Looks up the account's recent pending payments and its saved method at the provider, as webhooks would. What is wrong
 * with one payment keeps back none of the others; it is for the operator. Throws PaymentUnavailable at the end.
 */
export async function checkOwnPayments({ hub, account }: Ctx<ReconciliationHub>): Promise<void> {
  requireProvider(hub);
  const pending = await selectOwnPending(hub.db, account.id, new Date(hub.now().getTime() - RECENT_MS));
  const [customer] = await selectCustomer(hub.db, account.id);
  const checks = [
    ...pending.map(
      ({ id }) =>
        () =>
          reconcilePayment(hub, id),
    ),
    ...(customer ? [() => refreshMethod(hub, customer.customer_ref)] : []),
  ];
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
