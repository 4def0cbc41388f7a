import { int8, notNull, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import type { OperationsHub } from "./hub";

const HOUR_MS = 3_600_000;
/** How long after its end an hour may still change. Transactions that began in it have committed by then. */
const GRACE_MS = 10 * 60_000;
/** How many past hours one sweep adds, e.g. after an upgrade. */
const MAX_BACKFILLED_HOURS = 7 * 24;

const floorToHour = (ms: number): Date => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS);

/**
 * Recomputes the sums of the hours that may still change, and adds older hours that are missing, newest first. Reads only
 * the ledger entries and attempts of these hours. Returns how many older hours were added.
 */
export async function rollUpMoney(hub: OperationsHub): Promise<number> {
  const now = hub.now().getTime();
  const end = new Date(floorToHour(now).getTime() + HOUR_MS);
  const [known] = await selectBounds(hub.db);
  // After a pause, every hour since the newest one is missing or unfinished.
  const from = Math.min(known?.newest?.getTime() ?? now, now - GRACE_MS);
  await upsertHours(hub.db, floorToHour(from), end);
  const oldest = known?.oldest ?? floorToHour(from);
  if (!known?.first || known.first >= oldest) return 0;
  const start = new Date(
    Math.max(floorToHour(known.first.getTime()).getTime(), oldest.getTime() - MAX_BACKFILLED_HOURS * HOUR_MS),
  );
  await upsertHours(hub.db, start, oldest);
  return (oldest.getTime() - start.getTime()) / HOUR_MS;
}

const selectBounds = statement({
  params: [],
  row: { oldest: nullable(timestamptz), newest: nullable(timestamptz), first: nullable(timestamptz) },
  text: `
    SELECT (SELECT hour FROM money_hour ORDER BY hour LIMIT 1) AS oldest,
           (SELECT hour FROM money_hour ORDER BY hour DESC LIMIT 1) AS newest,
           (SELECT created_at FROM ledger_entry ORDER BY id LIMIT 1) AS first`,
});

// An hour without entries has a row too, so that the oldest row shows how far back the sums go.
const upsertHours = statement({
  params: [timestamptz, timestamptz],
  row: {},
  isLong: true,
  text: `
    WITH entries AS (
      SELECT date_trunc('hour', created_at, 'UTC') AS hour, sum(amount) AS balance_change,
             sum(promotional) AS promotional_change,
             -sum(amount) FILTER (WHERE kind = 'charge') AS billed
      FROM ledger_entry WHERE created_at >= $1 AND created_at < $2 GROUP BY 1
    ),
    costs AS (
      SELECT date_trunc('hour', ended_at, 'UTC') AS hour, sum(cost) AS provider_cost
      FROM attempt WHERE ended_at >= $1 AND ended_at < $2 AND cost IS NOT NULL GROUP BY 1
    )
    INSERT INTO money_hour (hour, balance_change, promotional_change, billed, provider_cost)
    SELECT hour, coalesce(balance_change, 0)::bigint, coalesce(promotional_change, 0)::bigint,
           coalesce(billed, 0)::bigint, coalesce(provider_cost, 0)::bigint
    FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 hour') AS hours (hour)
    LEFT JOIN entries USING (hour) LEFT JOIN costs USING (hour)
    ON CONFLICT (hour) DO UPDATE SET balance_change = excluded.balance_change,
                                     promotional_change = excluded.promotional_change, billed = excluded.billed,
                                     provider_cost = excluded.provider_cost`,
});

/** The hub's money in EUR on a day in UTC. */
interface MoneyDay {
  /** YYYY-MM-DD. */
  day: string;
  billed: number;
  provider_cost: number;
  margin: number;
}

/** Returns the sum of all balances in EUR, up to a minute old, and the last `days` days, newest last. */
export async function sumMoney(hub: OperationsHub, days: number): Promise<{ balances: number; days: MoneyDay[] }> {
  const since = new Date(hub.now().getTime() - (days - 1) * 24 * HOUR_MS);
  const [[total], rows] = await Promise.all([sumBalances(hub.db), selectDays(hub.db, since, hub.now())]);
  return {
    balances: toEuros(total!.balances),
    days: rows.map(({ day, billed, provider_cost }) => ({
      day,
      billed: toEuros(billed),
      provider_cost: toEuros(provider_cost),
      margin: toEuros(billed - provider_cost),
    })),
  };
}

const sumBalances = statement({
  params: [],
  row: { balances: notNull(int8) },
  text: "SELECT coalesce(sum(balance_change), 0)::bigint AS balances FROM money_hour",
});

const selectDays = statement({
  params: [timestamptz, timestamptz],
  row: { day: notNull(text), billed: notNull(int8), provider_cost: notNull(int8) },
  text: `
    SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(sum(billed), 0)::bigint AS billed,
           coalesce(sum(provider_cost), 0)::bigint AS provider_cost
    FROM generate_series(date_trunc('day', $1::timestamptz, 'UTC'), $2::timestamptz, interval '1 day') AS days (day)
    LEFT JOIN money_hour ON hour >= day AND hour < day + interval '1 day'
    GROUP BY days.day ORDER BY days.day`,
});
