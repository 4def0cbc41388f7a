import type { ProviderSettings } from "../../catalogue/model";
import type { Hub } from "../../context";
import { int8, nullable, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { hasLimits } from "./attempts";

const MINUTE_MS = 60_000;
const IN_FLIGHT_SECONDS = 1;
const BUDGET_SECONDS = 600;

/** Why a provider with limits cannot take another attempt now, and when to look again. */
export interface CapacityObstacle {
  skipped: "at_capacity" | "over_budget";
  waitSeconds: number;
}

/** Returns why a provider cannot take another attempt now; null if it can. A provider without limits costs no query. */
export async function checkCapacity(hub: Hub, provider: ProviderSettings): Promise<CapacityObstacle | null> {
  if (!hasLimits(provider)) return null;
  const now = hub.now();
  const [use] = await selectUse(hub.db, provider.id, new Date(now.getTime() - MINUTE_MS), now);
  const { maxInFlight, perMinute, spendLimitPerDay } = provider;
  if (spendLimitPerDay !== null && use!.spent >= spendLimitPerDay)
    return { skipped: "over_budget", waitSeconds: BUDGET_SECONDS };
  if (maxInFlight !== null && use!.in_flight >= BigInt(maxInFlight))
    return { skipped: "at_capacity", waitSeconds: IN_FLIGHT_SECONDS };
  if (perMinute === null || use!.in_minute < BigInt(perMinute)) return null;
  const untilMs = use!.oldest!.getTime() + MINUTE_MS - now.getTime();
  return { skipped: "at_capacity", waitSeconds: Math.max(1, Math.ceil(untilMs / 1000)) };
}

const selectUse = statement({
  params: [text, timestamptz, timestamptz],
  row: { in_flight: int8, in_minute: int8, oldest: nullable(timestamptz), spent: int8 },
  text: `
    SELECT (SELECT count(*) FROM attempt WHERE limited_provider = $1 AND ended_at IS NULL) AS in_flight,
           recent.count AS in_minute, recent.oldest,
           coalesce((SELECT spent FROM provider_spending WHERE provider = $1 AND day = ($3 AT TIME ZONE 'UTC')::date), 0) AS spent
    FROM (SELECT count(*), min(started_at) AS oldest FROM attempt WHERE limited_provider = $1 AND started_at > $2) recent`,
});
