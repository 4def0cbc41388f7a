import type { Queryable } from "../../db/client";
import type { Cents } from "../../payments/provider";
import { insertTaxLine, type TaxLineHub } from "../tax";
import type { Payment } from "./payment";

/** Inserts the supply of a payment that was paid, in the transaction that credits it. */
export const recordSupply = (hub: TaxLineHub, tx: Queryable, payment: Payment): Promise<void> =>
  insertTaxLine(hub, tx, toTaxLine(payment, "supply", { net: payment.amount, tax: payment.tax }));

/** Inserts the corrections of what a change of a payment takes back or returns, in the transaction that books it. */
export async function recordCorrections(
  hub: TaxLineHub,
  tx: Queryable,
  before: Payment,
  after: Payment,
): Promise<void> {
  const [old, taken] = [splitTaken(before), splitTaken(after)];
  for (const kind of ["refund", "dispute"] as const) {
    const net = old[kind].net - taken[kind].net;
    const tax = old[kind].tax - taken[kind].tax;
    if (net !== 0 || tax !== 0) await insertTaxLine(hub, tx, toTaxLine(after, kind, { net, tax }));
  }
}

type Kind = Parameters<typeof insertTaxLine>[2]["kind"];

// A provider makes the invoices of its payments, and there is no document about a dispute.
const toTaxLine = ({ id, account_id, provider }: Payment, kind: Kind, amounts: { net: Cents; tax: Cents }) => ({
  paymentId: id,
  accountId: account_id,
  kind,
  isNumbered: provider === "manual" && kind !== "dispute",
  ...amounts,
});

/** Returns what refunds and disputes take back of a payment: the amount without tax, and the tax. */
function splitTaken(payment: Payment): Record<"refund" | "dispute", { net: Cents; tax: Cents }> {
  const { state, amount, tax, refunded, refund_failed, disputed, reinstated, refund_booked, dispute_booked } = payment;
  const limit = state === "paid" ? amount + tax : 0;
  const refund = Math.min(refunded - refund_failed, limit);
  const both = Math.min(refunded - refund_failed + disputed - reinstated, limit);
  return {
    refund: { net: refund_booked, tax: refund - refund_booked },
    dispute: { net: dispute_booked, tax: both - refund - dispute_booked },
  };
}
