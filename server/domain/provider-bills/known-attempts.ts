import { array, int4, int8, int8Number, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { lowestIdAt } from "../../lib/id";
import type { AttemptOutcome } from "../generations/attempts";
import { DAY_MS } from "./bill";
import type { BillsHub } from "./hub";

const columns = {
  generation_id: uuid,
  n: int4,
  upstream_id: nullable(text),
  started_at: timestamptz,
  ended_at: nullable(timestamptz),
  outcome: nullable(textOf<AttemptOutcome>()),
  cost: nullable(int8),
  rate: nullable(text),
};

/** An attempt at the provider. `cost` is in nano-euros, `rate` the EUR per USD that its generation has frozen. */
export type KnownAttempt = RowOf<typeof columns>;

export interface Period {
  from: Date;
  /** Excluded. */
  to: Date;
}

/**
 * How long before the period a generation that ran in it may have been accepted, and how long after it a bill may name the
 * job.
 */
export const MARGIN_MS = 7 * DAY_MS;
const PAGE = 5_000;

/** Yields the attempts at a provider, with one of its keys or all, around a period, in pages. */
export async function* readKnownAttempts(
  hub: BillsHub,
  provider: string,
  { from, to }: Period,
): AsyncGenerator<KnownAttempt[], void> {
  const until = lowestIdAt(new Date(to.getTime() + MARGIN_MS));
  const [earliest, longer] = [new Date(from.getTime() - MARGIN_MS), findLongerIds(hub, provider)];
  let [id, n] = [lowestIdAt(earliest), 0];
  for (;;) {
    const page = await selectAttempts(hub.db, id, n, until, provider, longer, earliest, PAGE);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    [id, n] = [last.generation_id, last.n];
  }
}

/** Returns the ids of providers that routes of this one could be mistaken for, because they begin with it and a colon. */
const findLongerIds = ({ catalogue }: BillsHub, provider: string): string[] => [
  ...new Set(
    [...catalogue.values()]
      .flatMap(({ routes }) => routes.map((route) => route.provider.id))
      .filter((id) => id.startsWith(`${provider}:`)),
  ),
];

/** SQL for whether a route is `provider`, `provider:model`, or either with the key: `provider@KEY:model`. */
const isRouteOf = (provider: string) =>
  `(a.route = ${provider} OR starts_with(a.route, ${provider} || ':') OR starts_with(a.route, ${provider} || '@'))`;

// Generations' ids begin with the time at which they were accepted, so the period is a range of the primary key.
const selectAttempts = statement({
  params: [uuid, int4, uuid, text, array(text), timestamptz, int8Number],
  row: columns,
  isLong: true,
  text: `
    SELECT a.generation_id, a.n, a.upstream_id, a.started_at, a.ended_at, a.outcome, a.cost, g.price ->> 'eur_per_usd' AS rate
    FROM attempt a JOIN generation g ON g.id = a.generation_id
    WHERE (a.generation_id, a.n) > ($1::uuid, $2::int) AND a.generation_id < $3 AND ${isRouteOf("$4::text")}
      AND NOT EXISTS (SELECT FROM unnest($5::text[]) other (id) WHERE ${isRouteOf("other.id")})
      AND (a.ended_at IS NULL OR a.ended_at >= $6)
    ORDER BY a.generation_id, a.n LIMIT $7`,
});
