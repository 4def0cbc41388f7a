import { lowestIdAt } from "../../server/lib/id";
import type { Db } from "../../server/db/client";

export const FROM = new Date("2026-11-01T00:00:00Z");
export const TO = new Date("2026-12-01T00:00:00Z");
const MONTH_MS = TO.getTime() - FROM.getTime();

/** An attempt as a test wants it. Amounts are in billionths. */
export interface SeededAttempt {
  route: string;
  handle: string | null;
  at: Date;
  cost: bigint | null;
  outcome?: string;
  /** EUR per USD. */
  rate?: number;
}

/** Returns the time of one of `count` attempts that are spread over the month. */
export const timeOf = (n: number, count: number): Date =>
  new Date(FROM.getTime() + 60_000 + Math.floor(((MONTH_MS - 120_000) * n) / count));

const CHUNK = 20_000;

/** Inserts attempts of generations that are settled, each of a generation of its own. */
export async function insertAttempts(db: Db, account: number, attempts: SeededAttempt[]): Promise<void> {
  for (let start = 0; start < attempts.length; start += CHUNK) {
    const rows = attempts.slice(start, start + CHUNK).map(({ at, cost, ...attempt }, index) => ({
      ...attempt,
      id: `${lowestIdAt(at).slice(0, 24)}${(start + index).toString(16).padStart(12, "0")}`,
      at,
      cost: cost === null ? null : String(cost),
    }));
    await db.query(
      `WITH row AS MATERIALIZED (
         SELECT * FROM jsonb_to_recordset($1::jsonb)
           AS r (id uuid, route text, handle text, at timestamptz, cost bigint, outcome text, rate float8)
       ), generation AS (
         INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
                                 timeout_seconds, created_at, started_at, completed_at, settled_at)
         SELECT id, $2, 'm', false, 'succeeded', '{}', 0, 0,
                CASE WHEN rate IS NULL THEN '{}' ELSE jsonb_build_object('eur_per_usd', rate) END, 'fal', 60, at, at, at, at
         FROM row
       )
       INSERT INTO attempt (generation_id, n, route, provider, started_at, ended_at, outcome, upstream_id, cost)
       SELECT id, 1, route, 'fal', at, at, coalesce(outcome, 'succeeded'), handle, cost FROM row`,
      [JSON.stringify(rows), account],
    );
  }
}
