import { PaymentRejected, type ProviderRefund } from "../provider";
import { isRejected, type StripeConnection } from "./client";
import { idOf, listAll } from "./read-state";

/**
 * Issues a credit note for each refund of an invoice that has succeeded and has no credit note yet, not even one that
 * the operator issued. Stripe forgets idempotency keys after a day, so its list of credit notes decides; the keys are
 * for calls at the same time. Throws PaymentRejected, after it has tried all, with the first rejection.
 */
export async function issueCreditNotes(
  { stripe }: StripeConnection,
  invoice: string,
  refunds: ProviderRefund[],
): Promise<void> {
  const notes = await listAll((page) => stripe.creditNotes.list({ invoice, ...page }));
  const credited = new Set(notes.flatMap((note) => note.refunds.map(({ refund }) => idOf(refund))));
  const missing = refunds.filter(({ ref, hasSucceeded }) => hasSucceeded && !credited.has(ref));
  let rejected: PaymentRejected | undefined;
  for (const { ref, amount } of missing) {
    // Stripe divides the amount into the net and the tax, in the proportions of the invoice.
    const note = { invoice, amount, refunds: [{ refund: ref }] };
    await stripe.creditNotes.create(note, { idempotencyKey: `credit-note:${ref}` }).catch((error: unknown) => {
      if (!isRejected(error)) throw error;
      rejected ??= new PaymentRejected(`refund ${ref} has no credit note: ${error.message}`);
    });
  }
  if (rejected) throw rejected;
}
