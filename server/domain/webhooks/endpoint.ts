/**
 * The events that an endpoint can subscribe to (specification, section 6). The console's form lists them, and a test
 * compares them with the database's constraint and docs/webhooks.md.
 */
export const eventNames = ["generation.running", "generation.completed"] as const;
export type EventName = (typeof eventNames)[number];

/** The event that customers send to test an endpoint. */
export const TEST_EVENT = "webhook.test";

/** The error of the endpoint's latest failed delivery. */
export interface LastError {
  at: string;
  event: string;
  delivery_id: string;
  attempts: number;
  /** HTTP status of the last response; null when there was none. */
  status: number | null;
  message: string;
}

/** A row of the table `endpoint` without its secrets. */
export interface Endpoint {
  id: string;
  url: string;
  events: EventName[];
  last_error: LastError | null;
  created_at: Date;
  revoked_at: Date | null;
}

export const endpointSql = "id, url, events, last_error, created_at, revoked_at";

/** Returns the API representation of an endpoint. */
export const serializeEndpoint = ({ id, url, events, last_error, created_at, revoked_at }: Endpoint) => ({
  id,
  url,
  events,
  status: revoked_at === null ? ("active" as const) : ("revoked" as const),
  created_at: created_at.toISOString(),
  last_error,
});
