interface WebhookEvent {
  /** What `data` is. Payment events are only for those who may see the account's payments. */
  subject: "generation" | "payment";
  /** What happened, in the past tense and without a full stop. */
  summary: string;
  /** What else a receiver may need to know, in sentences. */
  note?: string;
  /** Members of `data` that differ from the example of its subject (envelopes/example.ts). */
  example: Record<string, unknown>;
}

/**
 * The events that an endpoint can subscribe to (specification, section 6). The console's form, the API description, the
 * clients, the guide and docs/webhooks.md are generated from this table; a test compares the database's constraint with it.
 * The console imports this file, so it must not import anything of the server.
 */
export const webhookEvents = {
  "generation.running": {
    subject: "generation",
    summary: "A generation started running",
    note: "A chat starts at once. Not sent for a generation that is canceled or fails in the queue.",
    example: { status: "running", billed_cost: null, completed_at: null, progress: null },
  },
  "generation.completed": {
    subject: "generation",
    summary: "A generation succeeded, failed or was canceled",
    example: {},
  },
  "payment.succeeded": {
    subject: "payment",
    summary: "A payment was credited",
    example: { state: "paid" },
  },
  "payment.failed": {
    subject: "payment",
    summary: "A payment failed",
    note: "For example, the bank declined the card.",
    example: { state: "failed", tax: 0 },
  },
  "payment.refunded": {
    subject: "payment",
    summary: "A payment was refunded or disputed",
    note: "Sent again for each further part that is refunded.",
    example: { state: "refunded" },
  },
} as const satisfies Record<string, WebhookEvent>;

type Events = typeof webhookEvents;
export type EventName = keyof Events;
type EventNameOf<Subject> = { [Name in EventName]: Events[Name]["subject"] extends Subject ? Name : never }[EventName];

/** Returns the description of an event. */
export const describeEvent = (name: EventName): WebhookEvent => webhookEvents[name];

export const eventNames = Object.keys(webhookEvents) as EventName[];

const listEventNames = <Subject extends WebhookEvent["subject"]>(subject: Subject): EventNameOf<Subject>[] =>
  eventNames.filter((name): name is EventNameOf<Subject> => describeEvent(name).subject === subject);

export const generationEventNames = listEventNames("generation");
export const paymentEventNames = listEventNames("payment");

/** Returns whether an event is about a payment. */
export const isPaymentEventName = (name: string): boolean => (paymentEventNames as string[]).includes(name);

/** The event that customers send to test an endpoint. */
export const TEST_EVENT = "webhook.test";
