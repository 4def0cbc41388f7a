import type { ProviderSettings } from "../../../catalogue/model";
import type { Queryable } from "../../../db/client";
import { bool, int8, int8Number, nullable, text, timestamptz, uuid, voidResult } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import type { Nano } from "../../../lib/money";
import { usdToEur } from "../../pricing";
import type { QueueHub } from "./hub";

const MINUTE_MS = 60_000;
/** How long a generation that was dispatched for a free place may take to claim it. */
const ARRIVAL_MS = 10_000;

/** The room that a provider with limits has at the moment. */
interface ProviderUse {
  /** Attempts that may still begin now; Infinity without a limit of attempts. */
  places: number;
  /** Nano-euros that attempts of today (UTC) may still cost; null without a spend limit. */
  budget: Nano | null;
  /** Generations that may take a place before the given one: all that were dispatched for one, else all that wait. */
  ahead: number;
  /** Generations that were dispatched for a place and have not claimed it yet. */
  arriving: number;
}

/**
 * Calls `work` in a transaction that is the only one that gives places at a provider, until it ends. Its statements see
 * what the transaction before has committed.
 */
export const withProviderLock = <T>(
  hub: QueueHub,
  { id }: ProviderSettings,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> =>
  hub.services.placeLimiter.run(() =>
    hub.db.transaction(async (tx) => {
      await takeLock(tx, `provider ${id}`);
      return work(tx);
    }),
  );

const takeLock = statement({
  params: [text],
  row: { locked: voidResult },
  text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) AS locked",
});

/** Returns the room that a provider with limits has for this generation; for a new one if the id is null. */
export async function findProviderUse(
  hub: QueueHub,
  db: Queryable,
  { id, maxInFlight, perMinute, spendLimitPerDay }: ProviderSettings,
  generationId: string | null,
): Promise<ProviderUse> {
  const now = hub.now();
  const limits = [maxInFlight, perMinute].filter((limit) => limit !== null);
  const [row] = await selectUse(
    db,
    id,
    maxInFlight !== null,
    perMinute !== null,
    new Date(now.getTime() - MINUTE_MS),
    generationId,
    Math.min(Number.MAX_SAFE_INTEGER, ...limits),
    new Date(now.getTime() - ARRIVAL_MS),
    now,
  );
  const { in_flight, in_minute, spent, ahead, arriving } = row!;
  const budget = spendLimitPerDay === null ? null : usdToEur(hub, spendLimitPerDay) - spent;
  const places = Math.min((maxInFlight ?? Infinity) - Number(in_flight), (perMinute ?? Infinity) - Number(in_minute));
  return { places, budget, ahead: Number(ahead), arriving: Number(arriving) };
}

// An attempt more than a minute ahead began before the system clock was set back; clocks of machines differ by less.
const inMinuteSql = "started_at > $4 AND started_at <= $8::timestamptz + interval '1 minute'";

// A reserved attempt counts as begun in this minute, whenever it was reserved.
const selectUse = statement({
  params: [text, bool, bool, timestamptz, nullable(uuid), int8Number, timestamptz, timestamptz],
  row: { in_flight: int8, in_minute: int8, spent: int8, ahead: int8, arriving: int8 },
  text: `
    SELECT
      CASE WHEN $2 THEN (SELECT count(*) FROM attempt WHERE limited_provider = $1 AND ended_at IS NULL) ELSE 0 END AS in_flight,
      CASE WHEN $3 THEN (SELECT count(*) FROM attempt WHERE limited_provider = $1 AND ${inMinuteSql})
        + (SELECT count(*) FROM attempt WHERE limited_provider = $1 AND ended_at IS NULL AND reserved AND NOT (${inMinuteSql}))
        ELSE 0 END AS in_minute,
      coalesce((SELECT spent FROM provider_spending WHERE provider = $1 AND day = ($8::timestamptz AT TIME ZONE 'UTC')::date), 0) AS spent,
      (SELECT count(*) FROM (
         SELECT FROM route_wait w JOIN generation g ON g.id = w.generation_id
         LEFT JOIN route_wait own ON own.awaits = $1 AND own.reason = 'at_capacity' AND own.generation_id = $5
         WHERE w.awaits = $1 AND w.reason = 'at_capacity' AND (w.woken_at IS NULL OR w.woken_at > $7)
           AND w.generation_id IS DISTINCT FROM $5
           AND (own.woken_at IS NULL OR own.woken_at <= $7
             OR w.woken_at > $7 AND (w.since, w.generation_id) < (own.since, own.generation_id))
           AND g.status IN ('queued', 'running')
         LIMIT $6) earlier) AS ahead,
      (SELECT count(*) FROM route_wait WHERE awaits = $1 AND reason = 'at_capacity' AND woken_at > $7) AS arriving`,
});

/** Returns why a provider with limits cannot take an attempt of this cost now; null if it can. */
export function findObstacle(
  { places, ahead, budget }: ProviderUse,
  cost: Nano | null,
): "at_capacity" | "over_budget" | null {
  if (budget !== null && (budget <= 0n || budget < (cost ?? 0n))) return "over_budget";
  return places > ahead ? null : "at_capacity";
}

// What the attempts of a provider with a spend limit cost on a day, counted in the statements that open and close them. Rows
// are locked in the order of their keys, after generations and accounts.

/**
 * SQL that counts new attempts on their day. Needs the CTE `opened` of rows of `attempt`, at most one of each provider;
 * makes `counted`.
 */
export const countSpendingSql = `
  counted AS (
    INSERT INTO provider_spending AS s (provider, day, spent)
    SELECT limited_provider, budget_day, budget_cost FROM opened WHERE budget_cost IS NOT NULL
    ON CONFLICT (provider, day) DO UPDATE SET spent = s.spent + EXCLUDED.spent
  )`;

/**
 * SQL that counts what ended attempts cost, in place of what was counted before: nothing if the provider refused them. Needs
 * the CTE `closed` of rows of `attempt`; makes `correction`, `locked_spending` and `corrected`.
 */
export const correctSpendingSql = `
  -- The difference between what the attempts cost and what was counted for them, by provider and day.
  correction AS (
    SELECT limited_provider AS provider, budget_day AS day,
           sum(CASE outcome WHEN 'refused' THEN 0 ELSE coalesce(cost, budget_cost) END - budget_cost)::bigint AS amount
    FROM closed WHERE budget_cost IS NOT NULL GROUP BY 1, 2
  ),
  -- The days to correct, locked in the order of their keys.
  locked_spending AS MATERIALIZED (
    SELECT s.provider, s.day, s.spent + c.amount AS spent FROM provider_spending s JOIN correction c USING (provider, day)
    WHERE c.amount <> 0 ORDER BY s.provider, s.day FOR NO KEY UPDATE OF s
  ),
  -- Their spending after the correction.
  corrected AS (
    UPDATE provider_spending s SET spent = l.spent FROM locked_spending l WHERE s.provider = l.provider AND s.day = l.day
  )`;

/** SQL for whether a row of `attempt` was lost at a provider that may have billed it. */
export const maybeBilledSql = "outcome = 'lost' AND provider <> 'worker' AND provider <> 'sandbox'";
