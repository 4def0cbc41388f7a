import { array, json, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";
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

export const endpointColumns = {
  id: uuid,
  url: text,
  events: array(textOf<EventName>()),
  last_error: nullable(json<LastError>()),
  created_at: timestamptz,
  revoked_at: nullable(timestamptz),
};

/** A row of the table `endpoint` without its secrets. */
export type Endpoint = RowOf<typeof endpointColumns>;

export const endpointSql = columnList(endpointColumns, "endpoint");

/** Returns the API representation of an endpoint. */
export const serializeEndpoint = ({ id, url, events, last_error, created_at, revoked_at }: Endpoint) => ({
  id,
  url,
  events,
  status: revoked_at === null ? ("active" as const) : ("revoked" as const),
  created_at: created_at.toISOString(),
  last_error,
});
