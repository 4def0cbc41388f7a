import { float8, int4, int8Number, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { HistoryHub } from "./hub";
import { divideIntoPoints, type HistoryPeriod } from "./periods";

/** Returns the longest queue, the most running generations and the fewest workers of each step of a period. */
export async function readLoad(hub: HistoryHub, period: HistoryPeriod) {
  const { from, until, stepMs, times } = divideIntoPoints(hub.now(), period);
  const rows = await selectLoad(hub.db, from, until, stepMs / 1000);
  const byTime = new Map(rows.map((row) => [row.at.getTime(), row]));
  const listOf = (column: "queued" | "running" | "workers") =>
    times.map((time) => byTime.get(time.getTime())?.[column] ?? null);
  return {
    times: times.map((time) => time.toISOString()),
    queued: listOf("queued"),
    running: listOf("running"),
    workers: listOf("workers"),
  };
}

const selectLoad = statement({
  params: [timestamptz, timestamptz, float8],
  row: { at: notNull(timestamptz), queued: notNull(int4), running: notNull(int4), workers: notNull(int4) },
  text: `
    SELECT date_bin(make_interval(secs => $3), at, $1::timestamptz) AS at, max(queued) AS queued, max(running) AS running,
           min(workers) AS workers
    FROM load_sample WHERE at >= $1 AND at < $2 GROUP BY 1`,
});

/** The most changes that are read, of all breakers together: the newest ones of the period. */
const MAX_CHANGES = 2_000;

/** A time in which no attempts were made at a route. */
interface Pause {
  from: string;
  /** Null while it lasts. */
  until: string | null;
  reason: string | null;
}

/** Returns when the breakers of routes were open in a period, by route. */
export async function listBreakers(hub: HistoryHub, period: HistoryPeriod) {
  const { from, until } = divideIntoPoints(hub.now(), period);
  const routes = new Map<string, { provider: string; pauses: Pause[] }>();
  for (const { route, provider, changed_at, open_until, reason } of await selectChanges(hub.db, from, MAX_CHANGES)) {
    const pauses: Pause[] = routes.get(route)?.pauses ?? [];
    const last = pauses.at(-1);
    const at = (changed_at < from ? from : changed_at).toISOString();
    if (open_until && last?.until !== null) pauses.push({ from: at, until: null, reason });
    if (!open_until && last?.until === null) last.until = at;
    routes.set(route, { provider, pauses });
  }
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    routes: [...routes].map(([route, value]) => ({ route, ...value })).filter(({ pauses }) => pauses.length > 0),
  };
}

// Includes the last change of each route before the period, which says whether its breaker was open at the start.
const selectChanges = statement({
  params: [timestamptz, int8Number],
  row: {
    route: notNull(text),
    provider: notNull(text),
    changed_at: notNull(timestamptz),
    open_until: nullable(timestamptz),
    reason: nullable(text),
  },
  text: `
    WITH latest AS (
      SELECT route, provider, changed_at, open_until, reason FROM breaker_change
      WHERE changed_at >= $1 ORDER BY changed_at DESC LIMIT $2
    ),
    before AS (
      SELECT DISTINCT ON (route) route, provider, changed_at, open_until, reason FROM breaker_change
      WHERE changed_at < $1 ORDER BY route, changed_at DESC
    )
    SELECT * FROM before UNION ALL SELECT * FROM latest ORDER BY changed_at`,
});
