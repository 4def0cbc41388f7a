/**
 * The events that an endpoint can subscribe to (specification, section 6). The console's form lists them, and a test
 * compares them with the database's constraint and docs/webhooks.md.
 */
export const generationEventNames = ["generation.running", "generation.completed"] as const;
export const paymentEventNames = ["payment.succeeded", "payment.failed", "payment.refunded"] as const;
export const eventNames = [...generationEventNames, ...paymentEventNames] as const;
export type EventName = (typeof eventNames)[number];
export type PaymentEventName = (typeof paymentEventNames)[number];

export const isPaymentEventName = (name: string): name is PaymentEventName =>
  (paymentEventNames as readonly string[]).includes(name);

/** The event that customers send to test an endpoint. */
export const TEST_EVENT = "webhook.test";
