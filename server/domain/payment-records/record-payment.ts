import { int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import type { Cents } from "../../payments/provider";
import { dispatchDeliveries, emitAccountEvent, type PendingDelivery } from "../events";
import { operate, type Operator } from "../operator-actions";
import { centsToEuros, creditPayment, type Payment, toEventData } from "../payments";
import { paymentColumns, paymentSql } from "../payments/sql";
import type { PaymentRecordsHub } from "./hub";

const MAX_CENTS = 100_000_000;

interface ManualPayment {
  accountId: number;
  /** What is credited, without tax. */
  amount: Cents;
  tax: Cents;
  /** Identifies the payment in the operator's books, e.g. an invoice number; each is recorded once. */
  reference: string;
  note: string | null;
  reason?: string | null;
}

/**
 * Records and credits a payment that arrived without a provider, e.g. a bank transfer. Does nothing if it was recorded
 * before. Throws 400 for an amount out of range or the reference of another payment, and 404 for an unknown account.
 */
export async function recordPayment(
  hub: PaymentRecordsHub,
  operator: Operator,
  { accountId, amount, tax, reference, note, reason }: ManualPayment,
): Promise<{ payment: Payment; isNew: boolean }> {
  if (!(amount >= 1 && amount <= MAX_CENTS))
    throw invalidInput("amount", `must be from 0.01 to ${centsToEuros(MAX_CENTS)} EUR`);
  if (!(tax >= 0 && tax <= MAX_CENTS)) throw invalidInput("tax", `must be from 0 to ${centsToEuros(MAX_CENTS)} EUR`);
  if (reference.trim() === "" || reference.length > 200)
    throw invalidInput("reference", "must have 1 to 200 characters");
  let deliveries: PendingDelivery[] = [];
  const target = { kind: "account", id: String(accountId) };
  const recorded = await operate(hub, operator, { action: "payment.record", target, reason }, async (tx) => {
    const now = hub.now();
    const [payment] = await insertManual(
      tx,
      newId(),
      accountId,
      amount,
      tax,
      reference,
      note ?? "Payment received",
      now,
    );
    if (!payment) return null;
    await creditPayment(hub, tx, payment);
    deliveries = await emitAccountEvent(tx, accountId, "payment.succeeded", toEventData(payment), now);
    return {
      before: null,
      after: { payment: payment.id, amount: centsToEuros(amount), tax: centsToEuros(tax) },
      details: { reference },
      result: payment,
    };
  });
  dispatchDeliveries(hub, deliveries);
  if (recorded) {
    hub.metrics.payments.add({ outcome: recorded.state });
    return { payment: recorded, isNew: true };
  }
  const [known] = await selectManual(hub.db, reference);
  if (!known) throw new AppError("resource_not_found", "There is no such account.");
  if (known.account_id !== accountId || known.amount !== amount || known.tax !== tax)
    throw invalidInput("reference", "belongs to another payment");
  return { payment: known, isNew: false };
}

// The account is locked before the row refers to it, because the lock of the foreign key alone deadlocks with credits.
const insertManual = statement({
  params: [uuid, int4, int4, int4, text, nullable(text), timestamptz],
  row: paymentColumns,
  text: `
    WITH target AS MATERIALIZED (SELECT id FROM account WHERE id = $2 FOR UPDATE)
    INSERT INTO payment AS p (id, account_id, provider, kind, state, amount, tax, provider_ref, note, created_at, settled_at)
    SELECT $1, id, 'manual', 'manual', 'paid', $3, $4, $5, $6, $7, $7 FROM target
    ON CONFLICT DO NOTHING RETURNING ${paymentSql}`,
});

const selectManual = statement({
  params: [text],
  row: paymentColumns,
  text: `SELECT ${paymentSql} FROM payment p WHERE p.provider = 'manual' AND p.provider_ref = $1`,
});
