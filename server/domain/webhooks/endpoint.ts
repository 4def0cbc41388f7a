/**
 * The one list of what an endpoint can subscribe to (specification, section 6). The console's form is made from it, and
 * a test holds the constraint of the database and docs/webhooks.md to it.
 */
export const eventNames = ["generation.running", "generation.completed"] as const;
export type EventName = (typeof eventNames)[number];

/** The name of what a customer sends themselves to try an endpoint. */
export const TEST_EVENT = "webhook.test";

/** Why the newest delivery that was given up failed. */
export interface LastError {
  at: string;
  event: string;
  delivery_id: string;
  attempts: number;
  /** HTTP status of the last answer; null when there was none. */
  status: number | null;
  message: string;
}

/** A customer's address, as its row has it, without its secrets. */
export interface Endpoint {
  id: string;
  url: string;
  events: EventName[];
  last_error: LastError | null;
  created_at: Date;
  revoked_at: Date | null;
}

export const endpointSql = "id, url, events, last_error, created_at, revoked_at";

/** An endpoint as the wire has it. */
export const serializeEndpoint = ({ id, url, events, last_error, created_at, revoked_at }: Endpoint) => ({
  id,
  url,
  events,
  status: revoked_at === null ? ("active" as const) : ("revoked" as const),
  created_at: created_at.toISOString(),
  last_error,
});
