import { array, json, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";
import type { EventName } from "../events";

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
