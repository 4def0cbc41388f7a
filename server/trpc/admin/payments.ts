import { z } from "zod";
import { operationActions } from "../../actions/operations";
import { getAccount } from "../../domain/accounts";
import { eurosToCents, serializePayment } from "../../domain/payments";
import { getPaymentRecord, paymentFilters, recordPayment } from "../../domain/payment-records";
import { reconcilePayment, refundPayment } from "../../domain/reconciliation";
import { AppError } from "../../errors";
import { auditorProcedure, operatorProcedure, procedureOf, reason, router } from "../procedure";

const PAGE = 50;

const id = z.uuid();
const euros = z.string().max(30);

export const payments = router({
  list: procedureOf(operationActions.payments)
    .input(
      z.object({
        q: z.string().max(300).optional(),
        filter: z.enum(paymentFilters).optional(),
        before: z.string().max(50).optional(),
      }),
    )
    .query(({ ctx: { hub, operator }, input }) =>
      operationActions.payments.run(hub, operator, { ...input, limit: PAGE }),
    ),

  get: auditorProcedure.input(z.object({ id })).query(({ ctx: { hub }, input }) => getPaymentRecord(hub, input.id)),

  /** Refunds an amount with tax. `left` is what the browser showed as refundable, so a double click refunds once. */
  refund: operatorProcedure
    .input(z.object({ id, amount: euros, left: z.number(), reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { id: paymentId, amount, left, reason } }) => {
      const order = { paymentId, amount: eurosToCents("amount", amount), left: Math.round(left * 100), reason };
      const { payment } = await refundPayment(hub, operator, order);
      return serializePayment(payment);
    }),

  /** Records a payment that came in without a provider. With its reference, a double click records it once. */
  record: operatorProcedure
    .input(
      z.object({
        email: z.string().max(254),
        amount: euros,
        tax: euros,
        reference: z.string().max(200),
        note: z.string().max(500),
        reason,
      }),
    )
    .mutation(async ({ ctx: { hub, operator }, input: { email, amount, tax, note, ...order } }) => {
      const account = await getAccount(hub, email);
      const { payment, isNew } = await recordPayment(hub, operator, {
        ...order,
        accountId: account.id,
        amount: eurosToCents("amount", amount),
        tax: eurosToCents("tax", tax.trim() || "0"),
        note: note.trim() || null,
      });
      return { ...serializePayment(payment), isNew };
    }),

  /** Asks the provider for a payment's state, as the job does, and books it. */
  lookUp: operatorProcedure.input(z.object({ id })).mutation(async ({ ctx: { hub }, input }) => {
    const payment = await reconcilePayment(hub, input.id);
    if (!payment) throw new AppError("resource_not_found", "There is no such payment.");
    return serializePayment(payment);
  }),
});
