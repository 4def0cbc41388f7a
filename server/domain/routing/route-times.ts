import { array, float8, int4, notNull, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { RouteTimes, RoutingHub } from "./hub";

const WINDOW_MS = 3_600_000;
const MAX_AGE_MS = 30_000;

/**
 * Returns the median times of routes, which all processes read from the attempts. Only models whose routing is `fastest`
 * cause a statement, at most one in 30 seconds, and nobody waits for it.
 */
export function createRouteTimes(hub: RoutingHub): RouteTimes {
  let times: ReadonlyMap<string, number> = new Map();
  let readAt = -Infinity;
  let reading: Promise<void> | null = null;
  const refresh = async () => {
    try {
      times = await readTimes(hub);
    } catch (error) {
      hub.log.warn({ err: error as Error }, "times of routes not read");
    } finally {
      readAt = hub.now().getTime();
      reading = null;
    }
  };
  return {
    find(model, entry) {
      if (Math.abs(hub.now().getTime() - readAt) > MAX_AGE_MS) reading ??= refresh();
      return times.get(nameEntry(model, entry));
    },
    refresh: () => (reading ??= refresh()),
  };
}

const nameEntry = (model: string, entry: number): string => `${entry} ${model}`;

async function readTimes(hub: RoutingHub): Promise<ReadonlyMap<string, number>> {
  const models = [...hub.catalogue.values()].filter(({ routing }) => routing === "fastest");
  const wanted = models.flatMap(({ id, routes }) => routes.map((route) => ({ model: id, ...route })));
  const columns = [
    wanted.map(({ model }) => model),
    wanted.map(({ entry }) => entry),
    wanted.map(({ id }) => id),
  ] as const;
  const rows = await selectMedians(hub.db, ...columns, new Date(hub.now().getTime() - WINDOW_MS));
  return new Map(rows.map(({ model, entry, seconds }) => [nameEntry(model, entry), seconds]));
}

// The index of ended attempts finds the blocks of the last hour.
const selectMedians = statement({
  params: [array(text), array(int4), array(text), timestamptz],
  row: { model: notNull(text), entry: notNull(int4), seconds: notNull(float8) },
  text: `
    SELECT wanted.model, wanted.entry,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.ended_at - a.started_at)::float8) AS seconds
    FROM attempt a JOIN unnest($1::text[], $2::int[], $3::text[]) AS wanted (model, entry, route) ON wanted.route = a.route
    JOIN generation g ON g.id = a.generation_id AND g.model = wanted.model
    WHERE a.ended_at > $4 AND a.outcome = 'succeeded'
    GROUP BY wanted.model, wanted.entry`,
});
