import type { Route } from "../../catalogue/model";
import type { Queryable } from "../../db/client";
import { int4, notNull, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { FailureCause } from "../../providers/failure";
import type { Breaker } from "./breaker";
import type { RoutingHub } from "./hub";

/** Hubs listen on this channel for the breakers that another process has opened or closed; the payload is the route. */
export const ROUTE_HEALTH_CHANNEL = "hub_route_health";

/** A trial that has reported no result for this long is followed by another. */
const TRIAL_SECONDS = 300;
/** How long a process waits before it checks again whether the trial of another process is over. */
const OTHER_TRIAL_SECONDS = 2;

const ofRoute = [text, text] as const;
const breakerParams = [nullable(timestamptz), nullable(timestamptz), int4, nullable(textOf<FailureCause>())] as const;

/** Stores a breaker that has changed, and notifies the other processes, in the background. */
export function saveBreaker(
  hub: RoutingHub,
  { id, provider }: Route,
  { openedAt, openUntil, openings, reason, changedAt }: Breaker,
): void {
  const [from, until] = openedAt === null ? [null, null] : [new Date(openedAt), new Date(openUntil)];
  const state = [from, until, openings, reason, new Date(changedAt)] as const;
  logFailure(hub, id, upsertBreaker(hub.db, id, provider.id, ...state, ROUTE_HEALTH_CHANNEL));
}

const upsertBreaker = statement({
  params: [...ofRoute, ...breakerParams, timestamptz, text],
  row: { notified: nullable(text) },
  text: `
    WITH saved AS (
      INSERT INTO route_health AS h (route, provider, opened_at, open_until, openings, reason, changed_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (route) DO UPDATE SET
        provider = EXCLUDED.provider, opened_at = EXCLUDED.opened_at, open_until = EXCLUDED.open_until,
        openings = EXCLUDED.openings, reason = EXCLUDED.reason, changed_at = EXCLUDED.changed_at,
        trial_generation = NULL, trial_until = NULL
      WHERE h.changed_at IS NULL OR h.changed_at < EXCLUDED.changed_at
      RETURNING route, provider, changed_at, open_until, opened_at IS NOT NULL AS is_open, reason
    ),
    recorded AS (
      INSERT INTO breaker_change (route, provider, changed_at, open_until, reason)
      SELECT route, provider, changed_at, CASE WHEN is_open THEN open_until END, CASE WHEN is_open THEN reason END
      FROM saved ON CONFLICT DO NOTHING
    ),
    forgotten AS (DELETE FROM breaker_change WHERE changed_at < $7::timestamptz - interval '31 days')
    SELECT pg_notify($8, route)::text AS notified FROM saved`,
});

/** Stores for operators when a route last succeeded, or when and why it failed, in the background. */
export const saveOutcome = (hub: RoutingHub, { id, provider }: Route, error: string | null): void =>
  logFailure(hub, id, upsertOutcome(hub.db, id, provider.id, error, hub.now()));

const upsertOutcome = statement({
  params: [...ofRoute, nullable(text), timestamptz],
  row: {},
  text: `
    INSERT INTO route_health AS h (route, provider, last_error, last_success_at, last_failure_at)
    VALUES ($1, $2, $3, CASE WHEN $3::text IS NULL THEN $4::timestamptz END, CASE WHEN $3 IS NOT NULL THEN $4 END)
    ON CONFLICT (route) DO UPDATE SET
      provider = EXCLUDED.provider, last_error = coalesce(EXCLUDED.last_error, h.last_error),
      last_success_at = coalesce(EXCLUDED.last_success_at, h.last_success_at),
      last_failure_at = coalesce(EXCLUDED.last_failure_at, h.last_failure_at)`,
});

const logFailure = (hub: RoutingHub, route: string, saved: Promise<unknown>): void =>
  void saved.catch((error: unknown) => hub.log.warn({ err: error, route }, "route health not stored"));

/** Applies the stored breakers of one route, or of all, to this process. */
export async function restoreRouteHealth(hub: RoutingHub, routeId: string | null): Promise<void> {
  for (const { route, opened_at, open_until, openings, reason, changed_at } of await selectBreakers(hub.db, routeId))
    hub.services.routeHealth.restore(
      route,
      { openedAt: opened_at?.getTime() ?? null, openUntil: open_until?.getTime() ?? 0, openings, reason },
      changed_at,
    );
}

const selectBreakers = statement({
  params: [nullable(text)],
  row: {
    route: text,
    opened_at: nullable(timestamptz),
    open_until: nullable(timestamptz),
    openings: int4,
    reason: nullable(textOf<Exclude<FailureCause, "job">>()),
    changed_at: notNull(timestamptz),
  },
  text: `
    SELECT route, opened_at, open_until, openings, reason, changed_at FROM route_health
    WHERE changed_at IS NOT NULL AND ($1::text IS NULL OR route = $1)`,
});

/**
 * Claims the trial of a route whose breaker has been open, for one generation of all processes. A repeated call for the
 * same generation returns true again.
 */
export async function claimTrial(hub: RoutingHub, db: Queryable, route: Route, generationId: string): Promise<boolean> {
  const now = hub.now();
  const until = new Date(now.getTime() + TRIAL_SECONDS * 1000);
  const claimed = await claimTrialRow(db, route.id, route.provider.id, generationId, now, until);
  const isClaimed = claimed.length > 0;
  const holder = isClaimed ? generationId : "another process";
  hub.services.routeHealth.beginTrial(route.id, holder, isClaimed ? TRIAL_SECONDS : OTHER_TRIAL_SECONDS);
  return isClaimed;
}

const claimTrialRow = statement({
  params: [...ofRoute, uuid, timestamptz, timestamptz],
  row: { route: text },
  text: `
    INSERT INTO route_health AS h (route, provider, trial_generation, trial_until) VALUES ($1, $2, $3, $5)
    ON CONFLICT (route) DO UPDATE SET trial_generation = $3, trial_until = $5
    WHERE (h.trial_until IS NULL OR h.trial_until <= $4 OR h.trial_generation = $3)
      AND (h.open_until IS NULL OR h.open_until <= $4)
    RETURNING route`,
});

/** Releases a trial in which the route was not used, so that another generation may try it. */
export async function releaseTrial(hub: RoutingHub, db: Queryable, route: Route, generationId: string): Promise<void> {
  hub.services.routeHealth.endTrial(route.id);
  await releaseTrialRow(db, route.id, generationId);
}

const releaseTrialRow = statement({
  params: [text, uuid],
  row: {},
  text: `
    UPDATE route_health SET trial_generation = NULL, trial_until = NULL WHERE route = $1 AND trial_generation = $2`,
});

/**
 * Moves breakers that opened before the system clock was set back by the difference, ends trials from before that, and notifies
 * all processes. Returns how many.
 */
export async function pullBackBreakers(hub: RoutingHub): Promise<number> {
  const now = hub.now();
  const maxTrialUntil = new Date(now.getTime() + TRIAL_SECONDS * 1000);
  return (await updateLate(hub.db, now, maxTrialUntil, ROUTE_HEALTH_CHANNEL)).length;
}

// A process applies a breaker that changed later than the one that it knows.
const updateLate = statement({
  params: [timestamptz, timestamptz, text],
  row: { notified: nullable(text) },
  text: `
    WITH late AS MATERIALIZED (
      SELECT route FROM route_health WHERE opened_at > $1 OR trial_until > $2 ORDER BY route FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE route_health h SET
      opened_at = least(h.opened_at, $1), open_until = least(h.open_until, $1::timestamptz + (h.open_until - h.opened_at)),
      changed_at = h.changed_at + interval '1 ms', trial_generation = NULL, trial_until = NULL
    FROM late WHERE h.route = late.route
    RETURNING pg_notify($3, h.route)::text AS notified`,
});
