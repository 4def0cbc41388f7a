import { int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { type ChargeFailure, isCustomerMissing, isPaymentRejected, type PaymentRef } from "../../payments/provider";
import { dispatchDeliveries } from "../events";
import { bookPayment, lockPayment, recordOutcome, type Payment } from "../payments";
import { requireProvider } from "../payment-customers";
import { reconcilePayment, refOf, selectPayment } from "../reconciliation";
import { startOfMonth } from "../../lib/start-of-month";
import { MIN_DIFFERENCE } from "./automatic-top-up";
import type { TopUpsHub } from "./hub";
import { sendTaxDetails } from "./send-tax-details";
import { expireUnsent, setRef } from "./top-up";

const MAX_CHARGES = 20;
/** How long a sent charge may stay open before it is canceled. */
const OPEN_FOR_MS = 10 * 60_000;
/** How long the provider surely remembers an idempotency key. */
const KEY_LASTS_MS = 23 * 3_600_000;

/**
 * Charges the saved methods of accounts whose available balance is below their threshold, and advances the charges that
 * are pending. Returns how many there are. An account has at most one: its pending row is the lock.
 */
export async function chargeAutomatically(hub: TopUpsHub): Promise<number> {
  const now = hub.now();
  await insertDueCharges(hub.db, now, startOfMonth(now), MAX_CHARGES);
  const pending = await selectPending(hub.db, MAX_CHARGES);
  for (const { id } of pending) {
    await advanceCharge(hub, id).catch((error: unknown) => {
      hub.log.warn({ err: error, payment: id }, "automatic top-up could not be charged yet");
    });
  }
  return pending.length;
}

/**
 * Advances a pending charge: prepares it, sends it once, then fetches its state. A charge that is no longer wanted before
 * it is sent expires instead. Can be repeated after any failure.
 */
async function advanceCharge(hub: TopUpsHub, id: string): Promise<void> {
  const provider = requireProvider(hub);
  const [payment] = await selectPayment(hub.db, id);
  if (payment?.state !== "pending") return;
  const ref = refOf(payment) ?? (await prepareCharge(hub, payment));
  if (!ref) return;
  const now = hub.now();
  // Only the caller that marks the row sends the charge; the others fetch its state.
  const [marked] = await markSent(hub.db, id, now);
  if (marked) {
    await provider.sendCharge(ref).catch((error: unknown) => {
      hub.log.info({ err: error, payment: id }, "automatic top-up was declined or its response was lost");
    });
  } else if ((await selectPayment(hub.db, id))[0]?.sent_at === null) {
    // Canceled first, because nothing finds it at the provider once it has expired.
    await provider.cancelCharge(ref);
    await expireUnsent(hub.db, id, now);
  }
  const state = await provider.fetchPayment(ref);
  const isStale = payment.sent_at !== null && now.getTime() - payment.sent_at.getTime() > OPEN_FOR_MS;
  if (state.state === "open" && (state.failure !== null || isStale)) await provider.cancelCharge(ref);
  await reconcilePayment(hub, id);
}

/** Prepares a charge at the provider and stores its id there. Returns null if the charge has ended. */
async function prepareCharge(
  hub: TopUpsHub,
  { id, account_id, amount, created_at }: Payment,
): Promise<PaymentRef | null> {
  const [account] = await selectMethod(hub.db, id);
  if (!account) {
    await expireUnsent(hub.db, id, hub.now());
    return null;
  }
  const { customer_ref: customer, method_ref: method } = account;
  if (customer === null || method === null) return giveUp(hub, id, { code: "no_method", isFinal: true });
  // If the response of an earlier call was lost, its charge stays a draft, which takes no money.
  if (hub.now().getTime() - created_at.getTime() > KEY_LASTS_MS)
    return giveUp(hub, id, { code: "not_sent", isFinal: false });
  try {
    await sendTaxDetails(hub, account_id, customer).catch((error: unknown) => {
      // The customer expects the charge; its invoice lacks what the provider does not accept.
      if (!isPaymentRejected(error)) throw error;
      hub.log.warn({ err: error, payment: id }, "the provider does not accept the tax details of an account");
    });
    const ref = await requireProvider(hub).prepareCharge({ id, customer, method, amount });
    const [stored] = await setRef(hub.db, id, ref);
    return stored ? { id, kind: "automatic", ref } : null;
  } catch (error) {
    // The account's next top-up replaces the customer. The saved method stays, because the hub may have another provider
    // account's key by mistake.
    if (isCustomerMissing(error)) return giveUp(hub, id, { code: "no_method", isFinal: true });
    if (!isPaymentRejected(error)) throw error;
    hub.log.warn({ err: error, payment: id }, "the provider rejected an automatic top-up");
    return giveUp(hub, id, { code: "rejected", isFinal: true });
  }
}

/** Marks a charge as failed that has no id of the provider, so that it is never sent. */
async function giveUp(hub: TopUpsHub, id: string, failure: ChargeFailure): Promise<null> {
  const deliveries = await hub.db.transaction(async (tx) => {
    const [payment] = await lockPayment(tx, id);
    if (payment?.state !== "pending" || payment.provider_ref !== null) return null;
    const booked = await bookPayment(hub, tx, payment, { state: "failed", failure_code: failure.code });
    await recordOutcome(hub, tx, payment, booked!.payment, failure);
    return booked!.deliveries;
  });
  if (!deliveries) return null;
  hub.metrics.payments.add({ outcome: "failed" });
  dispatchDeliveries(hub, deliveries);
  return null;
}

// Suspended and closing accounts, and those without an owner whose address is verified, are not charged.
const isChargeableSql = `t.state = 'on' AND NOT a.suspended AND a.closes_at IS NULL
        AND EXISTS (SELECT FROM membership m JOIN person p ON p.id = m.person_id
                    WHERE m.account_id = a.id AND m.role = 'owner' AND p.email_verified_at IS NOT NULL)`;

// A charge may still wait for the provider when people change their minds or the account changes hands. Settings that were
// saved later have a charge of their own. The balance does not count, because it rises and falls with every hold.
const isWantedSql = `EXISTS (
      SELECT FROM automatic_top_up t JOIN account a ON a.id = t.account_id
      WHERE t.account_id = payment.account_id AND t.changed_at <= payment.created_at AND ${isChargeableSql})`;

// The lock of the account keeps two statements from seeing the same balance; the unique index keeps them from charging
// twice. Accounts at their monthly cap are left out before the limit, because they stay due until the next month. Debt is
// added, because the charge repays it first.
const insertDueCharges = statement({
  params: [timestamptz, timestamptz, int8Number],
  row: { id: uuid },
  text: `
    WITH due AS MATERIALIZED (
      SELECT a.id, a.balance, a.reserved, a.owed, t.target, month.remaining
      FROM automatic_top_up t JOIN account a ON a.id = t.account_id
      JOIN payment_customer c ON c.account_id = a.id AND c.method_ref IS NOT NULL
      CROSS JOIN LATERAL (
        SELECT t.monthly_cap - coalesce(sum(p.amount), 0) AS remaining FROM payment p
        WHERE p.account_id = a.id AND p.kind = 'automatic' AND p.state IN ('pending', 'paid') AND p.created_at >= $2
      ) month
      WHERE ${isChargeableSql} AND month.remaining >= ${MIN_DIFFERENCE}
        AND (t.next_attempt_at IS NULL OR t.next_attempt_at <= $1) AND a.balance - a.reserved < t.threshold * 10000000::bigint
        AND NOT EXISTS (SELECT FROM payment p WHERE p.account_id = a.id AND p.kind = 'automatic' AND p.state = 'pending')
      ORDER BY a.id LIMIT $3 FOR UPDATE OF a
    )
    INSERT INTO payment (id, account_id, provider, kind, state, amount, created_at, next_check_at)
    SELECT gen_random_uuid(), id, 'stripe', 'automatic', 'pending',
           least(ceil((target * 10000000::numeric - (balance - reserved) + owed) / 10000000), remaining)::int,
           $1::timestamptz, $1::timestamptz + interval '5 minutes' FROM due
    ON CONFLICT DO NOTHING RETURNING id`,
});

// In random order, so that charges that keep failing do not block the others. Those that were sent, which wait for days if
// they are direct debits, leave the places of those that were not.
const selectPending = statement({
  params: [int8Number],
  row: { id: uuid },
  text: `
    (SELECT id FROM payment WHERE kind = 'automatic' AND state = 'pending' AND sent_at IS NULL ORDER BY random() LIMIT $1)
    UNION ALL
    (SELECT id FROM payment WHERE kind = 'automatic' AND state = 'pending' AND sent_at IS NOT NULL ORDER BY random() LIMIT $1)`,
});

/** Returns the customer and the saved method for the charge `$1`; no row if the charge is not wanted any more. */
const selectMethod = statement({
  params: [uuid],
  row: { customer_ref: nullable(text), method_ref: nullable(text) },
  text: `
    SELECT c.customer_ref, c.method_ref
    FROM payment LEFT JOIN payment_customer c ON c.account_id = payment.account_id
    WHERE payment.id = $1 AND ${isWantedSql}`,
});

const markSent = statement({
  params: [uuid, timestamptz],
  row: { sent_at: nullable(timestamptz) },
  text: `
    UPDATE payment SET sent_at = $2 WHERE id = $1 AND sent_at IS NULL AND state = 'pending' AND ${isWantedSql}
    RETURNING sent_at`,
});
