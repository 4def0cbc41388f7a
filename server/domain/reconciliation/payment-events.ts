import type { HubParts } from "../../context";
import { int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { isBadSignature, isMalformedEvent, type PaymentProvider, type ProviderEvent } from "../../payments/provider";
import { invalidInput } from "../../errors";
import { cutText } from "../../lib/cut-text";
import { isId } from "../../lib/id";
import { refreshMethod } from "../payment-customers";
import type { ReconciliationHub } from "./hub";
import { reconcilePayment, selectPayment } from "./reconcile-payment";
import { recreatePayment } from "./recreate-payment";

/** How long applied events of providers are kept. */
export const REPORT_RETENTION_DAYS = 90;
const MAX_APPLIED = 100;
/** The days whose events are listed, by default and at most: the provider keeps them no longer. */
export const RECONCILED_DAYS = { default: 4, max: 30 };
const DAY_MS = 86_400_000;

type ProviderName = keyof HubParts["payments"];

/**
 * Stores the event that a provider's webhook reports, which a job applies. Throws a 400 for an invalid signature or a
 * malformed event.
 */
export async function receiveEvent(
  hub: ReconciliationHub,
  name: ProviderName,
  body: Buffer,
  headers: Headers,
): Promise<void> {
  const event = readEvent(hub.payments[name]!, body, headers);
  if (!event) return;
  if (await storeEvent(hub, name, event)) hub.publish({ name: "payment/due", data: { id: event.id } });
}

function readEvent(provider: PaymentProvider, body: Buffer, headers: Headers): ProviderEvent | null {
  try {
    return provider.readEvent(body, headers);
  } catch (error) {
    if (isMalformedEvent(error)) throw invalidInput("body", "must be an event of the payment provider");
    if (!isBadSignature(error)) throw error;
    throw invalidInput("Stripe-Signature", "must be a recent signature of this body by the payment provider");
  }
}

async function storeEvent(
  hub: ReconciliationHub,
  name: ProviderName,
  { id, kind, ref, intent, customer }: ProviderEvent,
): Promise<boolean> {
  return (await insertEvent(hub.db, name, id, kind, ref, intent, customer, hub.now())).length > 0;
}

const eventColumns = {
  provider: text,
  event_id: text,
  kind: text,
  ref: nullable(text),
  intent_ref: nullable(text),
  customer_ref: nullable(text),
};
type StoredEvent = RowOf<typeof eventColumns>;

/**
 * Applies the stored events that are due: each names a payment, whose state is fetched. One that cannot be applied stores
 * its error and is retried at growing intervals. Returns how many were applied.
 */
export async function applyEvents(hub: ReconciliationHub): Promise<number> {
  const { claimed, failed } = await applyDue(hub, hub.now());
  return claimed - failed.length;
}

/** Applies every event that was not applied, including those that wait for their next attempt. */
export async function applyAllEvents(
  hub: ReconciliationHub,
): Promise<{ applied: number; failed: ReconciliationFailure[] }> {
  const now = hub.now();
  const failed: ReconciliationFailure[] = [];
  let applied = 0;
  await makeDue(hub.db, now);
  // A claimed event becomes due again after `now`, so each is claimed once.
  for (;;) {
    const round = await applyDue(hub, now);
    failed.push(...round.failed);
    applied += round.claimed - round.failed.length;
    if (round.claimed < MAX_APPLIED) return { applied, failed };
  }
}

/** An event, refund or payment that could not be reconciled, and why. */
export interface ReconciliationFailure {
  id: string;
  error: string;
}

async function applyDue(
  hub: ReconciliationHub,
  now: Date,
): Promise<{ claimed: number; failed: ReconciliationFailure[] }> {
  const due = await claimEvents(hub.db, now, MAX_APPLIED);
  const failed: ReconciliationFailure[] = [];
  for (const event of due) {
    const { provider, event_id: id, kind } = event;
    try {
      await applyEvent(hub, event);
      await markApplied(hub.db, provider, id, hub.now());
    } catch (error) {
      const message = cutText(describeError(error), 500);
      failed.push({ id, error: message });
      await setEventError(hub.db, provider, id, message);
      hub.log.warn({ err: error, event: id, kind }, "payment event could not be applied");
    }
  }
  return { claimed: due.length, failed };
}

export const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reconciles what an event names. Events of other products that share the provider's account match nothing. Throws if the
 * provider is not configured, so that the event waits.
 */
async function applyEvent(hub: ReconciliationHub, event: StoredEvent): Promise<void> {
  const provider = hub.payments[event.provider as ProviderName];
  if (!provider) throw new Error("The payment provider is not configured.");
  const id = await findPaymentId(hub, provider, event);
  const payment = id && (await reconcilePayment(hub, id));
  if (!payment && event.customer_ref) await refreshMethod(hub, event.customer_ref);
}

async function findPaymentId(
  hub: ReconciliationHub,
  provider: PaymentProvider,
  { provider: name, ref, intent_ref: intent }: StoredEvent,
): Promise<string | null> {
  const [known] = await selectByRefs(hub.db, name, ref, intent);
  if (known) return known.id;
  const found = await provider.findPayment({ ref, intent });
  if (!found || !isId(found.id)) return null;
  const [stored] = await selectPayment(hub.db, found.id);
  if (!stored) return recreatePayment(hub, name, provider, found);
  // The hub may not have stored the provider's ids of this payment and its charge yet, or never, if a response was lost.
  if (stored.provider !== name || stored.intent_ref !== null) return null;
  if (stored.provider_ref === null) await storeRef(hub.db, stored.id, found.ref);
  return stored.id;
}

/**
 * Stores the events of the last days that the providers list, because webhooks may have been lost, and deletes old ones.
 * Returns how many were new.
 */
export async function reconcileEvents(hub: ReconciliationHub, days = RECONCILED_DAYS.default): Promise<number> {
  let found = 0;
  const since = new Date(hub.now().getTime() - days * DAY_MS);
  for (const [name, provider] of Object.entries(hub.payments)) {
    for await (const event of provider.listEvents(since))
      if (await storeEvent(hub, name as ProviderName, event)) found += 1;
  }
  await purgeEvents(hub.db, new Date(hub.now().getTime() - REPORT_RETENTION_DAYS * DAY_MS));
  return found;
}

const insertEvent = statement({
  params: [text, text, text, nullable(text), nullable(text), nullable(text), timestamptz],
  row: { event_id: text },
  text: `
    INSERT INTO payment_event (provider, event_id, kind, ref, intent_ref, customer_ref, received_at, next_attempt_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT DO NOTHING RETURNING event_id`,
});

// A claimed event becomes due again later, so that it is also applied if its process is killed.
const claimEvents = statement({
  params: [timestamptz, int8Number],
  row: eventColumns,
  text: `
    WITH due AS MATERIALIZED (
      SELECT provider, event_id FROM payment_event WHERE next_attempt_at <= $1
      ORDER BY next_attempt_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE payment_event e SET attempts = attempts + 1,
      next_attempt_at = $1::timestamptz + least(interval '1 minute' * power(2, least(attempts, 10)), interval '6 hours')
    FROM due WHERE e.provider = due.provider AND e.event_id = due.event_id
    RETURNING e.provider, e.event_id, e.kind, e.ref, e.intent_ref, e.customer_ref`,
});

const makeDue = statement({
  params: [timestamptz],
  row: {},
  text: "UPDATE payment_event SET next_attempt_at = $1 WHERE next_attempt_at > $1",
});

const markApplied = statement({
  params: [text, text, timestamptz],
  row: {},
  text: `
    UPDATE payment_event SET applied_at = $3, next_attempt_at = NULL, error = NULL
    WHERE provider = $1 AND event_id = $2 AND applied_at IS NULL`,
});

const setEventError = statement({
  params: [text, text, text],
  row: {},
  text: "UPDATE payment_event SET error = $3 WHERE provider = $1 AND event_id = $2",
});

const selectByRefs = statement({
  params: [text, nullable(text), nullable(text)],
  row: { id: uuid },
  text: `
    SELECT id FROM payment WHERE provider = $1 AND provider_ref = $2
    UNION SELECT id FROM payment WHERE provider = $1 AND intent_ref = $3 LIMIT 1`,
});

const storeRef = statement({
  params: [uuid, text],
  row: {},
  text: "UPDATE payment SET provider_ref = $2 WHERE id = $1 AND provider_ref IS NULL",
});

const purgeEvents = statement({
  params: [timestamptz],
  row: {},
  text: "DELETE FROM payment_event WHERE received_at < $1 AND applied_at IS NOT NULL",
});
