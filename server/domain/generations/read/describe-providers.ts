import type { Catalogue, ProviderSettings } from "../../../catalogue/model";
import { int8, nullable, text, textOf, timestamptz } from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { toEuros } from "../../../lib/money";
import type { FailureCause } from "../../../providers/failure";
import { usdToEur } from "../../pricing";
import { maybeBilledSql } from "../queue/sql";
import type { ReadHub } from "./hub";

const LOST_DAYS = 30;
const DAY_MS = 86_400_000;

/** A route as the operator sees it; times are ISO 8601. */
export interface RouteReport {
  route: string;
  models: string[];
  /** `usable`, `cooling_down` until `open_until`, or `trial`: the next job shows whether it works again. */
  state: "usable" | "cooling_down" | "trial";
  reason: FailureCause | null;
  open_until: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  last_error: string | null;
}

/** A provider as the operator sees it. Amounts are in EUR. */
export interface ProviderReport {
  /** Also names the key if the provider has several. */
  id: string;
  kind: string;
  /** The variable of the key; null if it has none. */
  variable: string | null;
  /** Whether the key gets no new work. */
  retired: boolean;
  /** Whether its key is set in this environment; `none` if it needs none. */
  key: "set" | "missing" | "none";
  /** The environment variables that are not set. */
  missing: string[];
  in_flight: number;
  max_in_flight: number | null;
  per_minute: number | null;
  /** Null without a spend limit. */
  spent_today: number | null;
  spend_limit: number | null;
  /** Attempts of the last 30 days whose result is unknown, so that the provider may have billed them. */
  lost: number;
  routes: RouteReport[];
}

/** Returns the state of the providers of the catalogue and of their routes, without the built-in ones. */
export async function describeProviders(hub: ReadHub): Promise<ProviderReport[]> {
  const now = hub.now();
  const [health, use, spending] = await Promise.all([
    selectHealth(hub.db),
    selectRouteUse(hub.db, new Date(now.getTime() - LOST_DAYS * DAY_MS)),
    selectSpending(hub.db, now),
  ]);
  const healthOf = new Map(health.map((row) => [row.route, row]));
  const providers = groupRoutes(hub.catalogue);
  return [...providers.values()].map(({ provider, routes }) => {
    const used = use.filter((row) => findOwner(row, providers) === provider.id);
    const sum = (column: "in_flight" | "lost") => used.reduce((total, row) => total + Number(row[column]), 0);
    const spent = spending.find((row) => row.provider === provider.id)?.spent ?? 0n;
    const limit = provider.spendLimitPerDay;
    return {
      id: provider.id,
      kind: provider.kind,
      variable: provider.keyVariable,
      retired: provider.isRetired,
      key: describeKey(provider),
      missing: provider.missing,
      in_flight: sum("in_flight"),
      max_in_flight: provider.maxInFlight,
      per_minute: provider.perMinute,
      spent_today: limit === null ? null : toEuros(spent),
      spend_limit: limit === null ? null : toEuros(usdToEur(hub, limit)),
      lost: sum("lost"),
      routes: [...routes].map(([route, models]) => ({
        route,
        models,
        ...describeHealth(healthOf.get(route) ?? unusedRoute, now),
      })),
    };
  });
}

type Providers = Map<string, { provider: ProviderSettings; routes: Map<string, string[]> }>;

/** Returns the providers by their ids, each with the ids of its routes and of the models that use them. */
function groupRoutes(catalogue: Catalogue): Providers {
  const providers: Providers = new Map();
  for (const model of catalogue.values()) {
    for (const { id, provider } of model.routes.filter((route) => !isBuiltIn(route.provider))) {
      const group = providers.get(provider.id) ?? { provider, routes: new Map<string, string[]>() };
      group.routes.set(id, [...new Set([...(group.routes.get(id) ?? []), model.id])]);
      providers.set(provider.id, group);
    }
  }
  return providers;
}

const isBuiltIn = ({ kind }: ProviderSettings): boolean => kind === "sandbox" || kind === "worker";

/**
 * Returns the id of the provider that attempts at a route belong to, even if the catalogue no longer has the route. Attempts
 * from before a provider had several keys belong to the one that they were made with.
 */
function findOwner({ route, key }: { route: string; key: string | null }, providers: Providers): string | undefined {
  const isPartOf = (id: string) => route === id || route.startsWith(`${id}:`);
  return [...providers.values()]
    .map(({ provider }) => provider)
    .filter(({ id, catalogueId, keyVariable }) => isPartOf(id) || (isPartOf(catalogueId) && keyVariable === key))
    .toSorted((a, b) => b.id.length - a.id.length)[0]?.id;
}

const describeKey = ({ apiKey, missing }: ProviderSettings): ProviderReport["key"] =>
  missing.length > 0 ? "missing" : apiKey === null ? "none" : "set";

/** The health of a route that was never used. */
const unusedRoute = { open_until: null, reason: null, last_success_at: null, last_failure_at: null, last_error: null };

function describeHealth(
  row: Omit<RowOf<typeof healthColumns>, "route">,
  now: Date,
): Omit<RouteReport, "route" | "models"> {
  const { open_until, reason, last_success_at, last_failure_at, last_error } = row;
  return {
    state: open_until === null ? "usable" : open_until > now ? "cooling_down" : "trial",
    reason,
    open_until: open_until?.toISOString() ?? null,
    last_success_at: last_success_at?.toISOString() ?? null,
    last_failure_at: last_failure_at?.toISOString() ?? null,
    last_error,
  };
}

const healthColumns = {
  route: text,
  open_until: nullable(timestamptz),
  reason: nullable(textOf<FailureCause>()),
  last_success_at: nullable(timestamptz),
  last_failure_at: nullable(timestamptz),
  last_error: nullable(text),
};

const selectHealth = statement({
  params: [],
  row: healthColumns,
  text: "SELECT route, open_until, reason, last_success_at, last_failure_at, last_error FROM route_health",
});

const selectRouteUse = statement({
  params: [timestamptz],
  row: { route: text, key: nullable(text), in_flight: int8, lost: int8 },
  text: `
    SELECT route, key, count(*) FILTER (WHERE is_open) AS in_flight, count(*) FILTER (WHERE NOT is_open) AS lost FROM (
      SELECT a.route, a.key, true AS is_open FROM generation g JOIN attempt a ON a.generation_id = g.id
      WHERE g.status = 'running' AND a.ended_at IS NULL
      UNION ALL SELECT route, key, false FROM attempt WHERE ${maybeBilledSql} AND started_at > $1
    ) used GROUP BY route, key`,
});

const selectSpending = statement({
  params: [timestamptz],
  row: { provider: text, spent: int8 },
  text: "SELECT provider, spent FROM provider_spending WHERE day = ($1::timestamptz AT TIME ZONE 'UTC')::date",
});
