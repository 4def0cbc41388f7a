import type { EventName } from "../events/event-names";

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
