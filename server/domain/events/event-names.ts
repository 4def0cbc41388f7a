/** What `data` of an event is about. */
type Subject = "generation" | "batch" | "payment" | "balance" | "key" | "budget" | "webhook";

interface WebhookEvent {
  subject: Subject;
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
  "batch.completed": {
    subject: "batch",
    summary: "All generations of a batch have ended",
    note: "Also of one that was canceled.",
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
  "balance.low": {
    subject: "balance",
    summary: "The balance fell below the amount that counts as low",
    note: "Unless you set an amount, below what the last three days spent. Sent again only after a top-up.",
    example: {},
  },
  "balance.exhausted": {
    subject: "balance",
    summary: "The balance no longer covered a request",
    note: "Or nothing was left. Sent again only after a top-up.",
    example: { balance: 0.01, available: 0.01 },
  },
  "key.limit_reached": {
    subject: "key",
    summary: "The spend limit of an API key no longer covered a request",
    note: "Or nothing of it was left. Sent once in each day or month of the limit, and again after the limit was changed.",
    example: {},
  },
  "budget.threshold": {
    subject: "budget",
    summary: "50, 80 or 100 % of a budget are used",
    note: "Sent once for each of them in each window, and again after the budget was changed. 100 also after a request was rejected.",
    example: {},
  },
  "webhook.failing": {
    subject: "webhook",
    summary: "Three attempts in a row to deliver to a webhook failed",
    note: "Sent again only after three attempts in a row succeeded.",
    example: {},
  },
} as const satisfies Record<string, WebhookEvent>;

type Events = typeof webhookEvents;
export type EventName = keyof Events;
type EventNameOf<S extends Subject> = {
  [Name in EventName]: Events[Name]["subject"] extends S ? Name : never;
}[EventName];

/** Returns the description of an event. */
export const describeEvent = (name: EventName): WebhookEvent => webhookEvents[name];

export const eventNames = Object.keys(webhookEvents) as EventName[];

const listEventNames = <S extends Subject>(...subjects: S[]): EventNameOf<S>[] =>
  eventNames.filter((name): name is EventNameOf<S> => (subjects as Subject[]).includes(describeEvent(name).subject));

export const generationEventNames = listEventNames("generation");
export const paymentEventNames = listEventNames("payment");

/** The events about which the hub also alerts people. */
export const alertEventNames = listEventNames("balance", "key", "budget", "webhook");
export type AlertName = (typeof alertEventNames)[number];

const moneyEventNames: string[] = listEventNames("payment", "balance");

/** Returns whether an event is only for those who may see the account's money. */
export const isMoneyEventName = (name: string): boolean => moneyEventNames.includes(name);

/** The event that customers send to test an endpoint. */
export const TEST_EVENT = "webhook.test";
