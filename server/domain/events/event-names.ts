/**
 * The events that an endpoint can subscribe to (specification, section 6). The console's form lists them, and a test
 * compares them with the database's constraint and docs/webhooks.md.
 */
export const eventNames = ["generation.running", "generation.completed"] as const;
export type EventName = (typeof eventNames)[number];

/** The event that customers send to test an endpoint. */
export const TEST_EVENT = "webhook.test";
