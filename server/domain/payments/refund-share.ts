import type { Cents } from "../../payments/provider";
import { type Payment, refundableCents } from "./payment";

/**
 * Returns the largest refund of a payment, with tax, that takes at most `net` off the balance. Both are cents; zero for a
 * payment with a dispute that was not won, because the bank has its money.
 */
export function refundWithin(payment: Payment, net: Cents): Cents {
  const { amount, tax, refunded, refund_failed, disputed, reinstated, refund_booked } = payment;
  if (disputed > reinstated) return 0;
  const left = refundableCents(payment);
  if (net >= amount - refund_booked) return left;
  // Exact in integers: the share of what is refunded in all is rounded down, so that its net does not exceed the target.
  const total = (BigInt(refund_booked + net) * BigInt(amount + tax)) / BigInt(amount);
  return Math.max(0, Math.min(left, Number(total) - (refunded - refund_failed)));
}
