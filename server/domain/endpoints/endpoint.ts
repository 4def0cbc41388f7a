import type { Ctx } from "../../context";
import { array, int4, json, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf, statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import type { EventName } from "../events";
import type { EndpointsHub } from "./hub";

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
  /** Null for a host (own-webhook.ts). */
  events: nullable(array(textOf<EventName>())),
  last_error: nullable(json<LastError>()),
  created_at: timestamptz,
  revoked_at: nullable(timestamptz),
};

/** A row of the table `endpoint` without its secrets. */
export type Endpoint = RowOf<typeof endpointColumns>;

export const endpointSql = columnList(endpointColumns, "endpoint");

/** Returns an endpoint as the API shows it. */
export const serializeEndpoint = ({ id, url, events, last_error, created_at, revoked_at }: Endpoint) => ({
  id,
  url,
  events: events ?? [],
  status: revoked_at === null ? ("active" as const) : ("revoked" as const),
  created_at: created_at.toISOString(),
  last_error,
});

/**
 * Returns an endpoint of the account, active or revoked; throws 404 `resource_not_found` for a missing, foreign or
 * malformed id alike.
 */
export async function getEndpoint(ctx: Ctx<EndpointsHub>, id: string): Promise<Endpoint> {
  const rows = isId(id) ? await selectEndpoint(ctx.hub.db, id, ctx.account.id) : [];
  if (!rows[0]) throw endpointNotFoundError();
  return rows[0];
}

const selectEndpoint = statement({
  params: [uuid, int4],
  row: endpointColumns,
  text: `SELECT ${endpointSql} FROM endpoint WHERE id = $1 AND account_id = $2`,
});

/** Returns the 404 error for an endpoint that does not exist. */
export const endpointNotFoundError = () => new AppError("resource_not_found", "There is no such webhook endpoint.");

const MAX_LISTED_ENDPOINTS = 100;

/**
 * Returns the account's endpoints without hosts, active before revoked, newest first. Revoked endpoints are stored as long as
 * their deliveries.
 */
export const listEndpoints = (ctx: Ctx<EndpointsHub>): Promise<Endpoint[]> =>
  selectEndpoints(ctx.hub.db, ctx.account.id);

const selectEndpoints = statement({
  params: [int4],
  row: endpointColumns,
  text: `
    SELECT ${endpointSql} FROM endpoint WHERE account_id = $1 AND position IS NOT NULL
    ORDER BY revoked_at IS NOT NULL, id DESC LIMIT ${MAX_LISTED_ENDPOINTS}`,
});

const failingColumns = {
  id: uuid,
  url: text,
  /** HTTP status of the latest response; null when there was none. */
  status: nullable(int4),
  at: timestamptz,
};

/** An active endpoint whose latest attempt failed. */
type FailingEndpoint = RowOf<typeof failingColumns>;

/**
 * Returns the account's active endpoints whose latest attempt failed, whichever delivery it belonged to. A successful
 * redelivery of an older event therefore removes the endpoint from the list.
 */
export const listFailingEndpoints = (ctx: Ctx<EndpointsHub>): Promise<FailingEndpoint[]> =>
  selectFailing(ctx.hub.db, ctx.account.id);

const selectFailing = statement({
  params: [int4],
  row: failingColumns,
  text: `
    SELECT p.id, p.url, latest.status, latest.started_at AS at FROM endpoint p, LATERAL (
       SELECT a.status, a.started_at FROM delivery_attempt a
       WHERE a.endpoint_id = p.id ORDER BY a.started_at DESC LIMIT 1
     ) latest
     WHERE p.account_id = $1 AND p.revoked_at IS NULL AND (latest.status BETWEEN 200 AND 299) IS NOT TRUE
     ORDER BY p.position`,
});
