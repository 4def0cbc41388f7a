import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { int4, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { FailureCause } from "../../providers/provider";
import type { Breaker } from "./route-health";

/** Hubs listen on this channel for the breakers that another process has opened or closed. */
export const ROUTE_HEALTH_CHANNEL = "hub_route_health";

/** Stores the state of a breaker for operators and other processes, later and without waiting for it. */
export function saveRouteHealth(
  hub: Hub,
  { id, provider }: Route,
  { openUntil, openings, reason }: Breaker,
  error: string | null,
): void {
  const until = openUntil > 0 ? new Date(openUntil) : null;
  void upsertHealth(hub.db, id, provider.id, until, openings, reason, error, hub.now(), ROUTE_HEALTH_CHANNEL).catch(
    (cause: unknown) => hub.log.warn({ err: cause, route: id }, "route health not stored"),
  );
}

const upsertHealth = statement({
  params: [
    ...([text, text, nullable(timestamptz), int4, nullable(textOf<FailureCause>())] as const),
    ...([nullable(text), timestamptz, text] as const),
  ],
  row: { notified: nullable(text) },
  text: `
    WITH saved AS (
      INSERT INTO route_health AS h (route, provider, open_until, openings, reason, last_error, last_success_at, last_failure_at, updated_at)
      VALUES ($1, $2, $3, $4, $5, $6, CASE WHEN $6::text IS NULL THEN $7 END, CASE WHEN $6::text IS NOT NULL THEN $7 END, $7)
      ON CONFLICT (route) DO UPDATE SET
        provider = EXCLUDED.provider, open_until = EXCLUDED.open_until, openings = EXCLUDED.openings,
        reason = EXCLUDED.reason, last_error = coalesce(EXCLUDED.last_error, h.last_error),
        last_success_at = coalesce(EXCLUDED.last_success_at, h.last_success_at),
        last_failure_at = coalesce(EXCLUDED.last_failure_at, h.last_failure_at), updated_at = EXCLUDED.updated_at
      RETURNING route
    )
    SELECT pg_notify($8, route)::text AS notified FROM saved`,
});
