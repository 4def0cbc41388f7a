import { array, notNull, nullable, text, textOf, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/**
 * `last_success_at` is stored at most once a minute. A success within these two minutes therefore counts even if the stored time
 * is before `opened_at`.
 */
const SUCCESS_MS = 2 * 60_000;

const reasons = { account: "It rejects the hub's key, credit or model", outage: "Its attempts fail" };

/**
 * Returns the providers of the catalogue that are down: a route has an open breaker, because the provider rejects the hub
 * or has failed again after a pause, and none of the provider's routes has succeeded since.
 */
export async function findDownProviders({ db, catalogue, now }: OperatorAlertsHub): Promise<Finding[]> {
  const routes = [...catalogue.values()].flatMap((model) => model.routes.map(({ id }) => id));
  const rows = await selectDown(db, routes, new Date(now().getTime() - SUCCESS_MS));
  return rows.map(({ provider, reason, last_error }) => ({
    name: "provider.down",
    subject: provider,
    detail: `${reasons[reason]}${last_error === null ? "" : `: ${last_error}`}`,
    isRaised: true,
  }));
}

const selectDown = statement({
  params: [array(text), timestamptz],
  row: { provider: text, reason: notNull(textOf<keyof typeof reasons>()), last_error: nullable(text) },
  text: `
    SELECT DISTINCT ON (provider) provider, reason, last_error FROM route_health h
    WHERE route = ANY ($1::text[]) AND opened_at IS NOT NULL AND (reason = 'account' OR reason = 'outage' AND openings > 1)
      AND NOT EXISTS (
        SELECT FROM route_health other
        WHERE other.provider = h.provider AND other.last_success_at > least(h.opened_at, $2))
    ORDER BY provider, opened_at DESC`,
});
