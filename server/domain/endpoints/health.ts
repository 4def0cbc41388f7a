import type { Ctx } from "../../context";
import { bool, int4, json, notNull, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isId } from "../../lib/id";
import type { EndpointsHub } from "./hub";

/** How many attempts of an hour are counted: its newest, so that a busy endpoint costs no more than another. */
export const MAX_COUNTED_ATTEMPTS = 40;

const HOURS = 24;

/** The attempts at an endpoint within an hour, at most `MAX_COUNTED_ATTEMPTS`. */
interface Hour {
  /** When it began, in ISO 8601. */
  at: string;
  attempts: number;
  failed: number;
}

/**
 * Returns the health of the account's active endpoints without hosts, or of the endpoint with this id: the latest attempt
 * if it failed, and the hours until now, oldest first.
 */
export async function listEndpointHealth(ctx: Ctx<EndpointsHub>, id?: string) {
  const now = ctx.hub.now();
  const rows = id === undefined || isId(id) ? await selectHealth(ctx.hub.db, ctx.account.id, id ?? null, now) : [];
  return rows.map(({ id: endpointId, is_failing, status, latest_at, hours }) => ({
    id: endpointId,
    failing: is_failing ? { status, at: latest_at.toISOString() } : null,
    hours: hours.map(({ at, ...counts }) => ({ at: new Date(at).toISOString(), ...counts })),
  }));
}

const selectHealth = statement({
  params: [int4, nullable(uuid), timestamptz],
  row: {
    id: uuid,
    is_failing: notNull(bool),
    status: nullable(int4),
    latest_at: notNull(timestamptz),
    hours: notNull(json<Hour[]>()),
  },
  text: `
    SELECT p.id, coalesce(NOT latest.succeeded, false) AS is_failing, latest.status, coalesce(latest.started_at, $3) AS latest_at,
           (SELECT json_agg(json_build_object('at', hour.at, 'attempts', counted.attempts, 'failed', counted.failed)
                            ORDER BY hour.at)
            FROM generate_series($3::timestamptz - interval '${HOURS} hours', $3 - interval '1 hour', '1 hour') AS hour (at),
                 LATERAL (SELECT count(*)::int AS attempts, (count(*) FILTER (WHERE NOT succeeded))::int AS failed
                          FROM (SELECT (a.status BETWEEN 200 AND 299) IS TRUE AS succeeded FROM delivery_attempt a
                                WHERE a.endpoint_id = p.id AND a.started_at > hour.at
                                  AND a.started_at <= hour.at + interval '1 hour'
                                ORDER BY a.started_at DESC LIMIT ${MAX_COUNTED_ATTEMPTS}) newest) counted) AS hours
    FROM endpoint p LEFT JOIN LATERAL (
      SELECT a.status, a.started_at, (a.status BETWEEN 200 AND 299) IS TRUE AS succeeded FROM delivery_attempt a
      WHERE a.endpoint_id = p.id ORDER BY a.started_at DESC LIMIT 1
    ) latest ON true
    WHERE p.account_id = $1 AND p.revoked_at IS NULL AND CASE WHEN $2::uuid IS NULL THEN p.position IS NOT NULL ELSE p.id = $2 END
    ORDER BY p.id DESC LIMIT 5`,
});
