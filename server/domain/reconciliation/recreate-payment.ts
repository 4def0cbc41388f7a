import { int4, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { FoundPayment, PaymentProvider, PaymentRef, PaymentState } from "../../payments/provider";
import { centsToEuros } from "../payments";
import type { ReconciliationHub } from "./hub";
import { selectPayment } from "./reconcile-payment";

/**
 * Inserts a payment that the provider has and the hub has not, because the hub was restored from an older backup. The caller
 * then reconciles it like any other. Returns its id; null if nothing was paid, or an operator has recorded or refunded it.
 * Throws if the payment names this hub but the hub does not know the customer, because the account is lost, or its number is
 * another account's now.
 */
export async function recreatePayment(
  hub: ReconciliationHub,
  name: string,
  provider: PaymentProvider,
  found: FoundPayment,
): Promise<string | null> {
  const { id, kind, ref, customer, createdAt } = found;
  const state = await provider.fetchPayment(found);
  if (state.state !== "paid") return null;
  const reference = state.intent ?? ref;
  const [recorded] = await selectRecorded(hub.db, reference);
  if (recorded) return null;
  const [inserted] = await insertPayment(hub.db, id, name, customer, kind, state.amount, ref, createdAt, hub.now());
  if (inserted) {
    hub.log.warn({ payment: id, account: inserted.account_id }, "payment that the hub did not have was inserted again");
    return id;
  }
  const [concurrent] = await selectPayment(hub.db, id);
  if (concurrent) return id;
  if (!found.isNamed || isRefunded(state)) return null;
  throw new Error(
    `Payment ${id} of ${describeCents(state.paid)} and ${describeCents(state.tax)} of tax was paid by the customer ${customer}, ` +
      `whom the hub does not know. Record it with the reference ${reference}, or refund it at the provider.`,
  );
}

const describeCents = (cents: number) => `${centsToEuros(cents).toFixed(2)} EUR`;

const isRefunded = ({ paid, tax, refunds }: PaymentState): boolean =>
  refunds.reduce((total, { amount, hasFailed }) => total + (hasFailed ? 0 : amount), 0) >= paid + tax;

/** Returns the payment that an operator has recorded with this reference. */
const selectRecorded = statement({
  params: [text],
  row: { id: uuid },
  text: "SELECT id FROM payment WHERE provider = 'manual' AND provider_ref = $1",
});

// Inserted as expired: a pending charge would be sent, while an expired payment may still become paid.
const insertPayment = statement({
  params: [uuid, text, nullable(text), textOf<PaymentRef["kind"]>(), int4, text, timestamptz, timestamptz],
  row: { account_id: int4 },
  text: `
    INSERT INTO payment (id, account_id, provider, kind, state, amount, provider_ref, created_at, settled_at)
    SELECT $1, account_id, $2, $4, 'expired', $5, $6, $7, $8 FROM payment_customer WHERE provider = $2 AND customer_ref = $3
    ON CONFLICT DO NOTHING RETURNING account_id`,
});
