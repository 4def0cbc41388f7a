import type { Queryable } from "../../server/db/client";
import { LEASE_MS } from "./lease";

/**
 * Corrects times that were set before the clock went back: afterwards no job, lease or dedupe key lies further ahead
 * than its own length from now.
 */
export async function pullBackTimes(db: Queryable, now: Date): Promise<void> {
  await db.query(pullBackJobsSql, [now]);
  await db.query(pullBackLeasesSql, [new Date(now.getTime() + LEASE_MS)]);
  await db.query(pullBackDedupeKeysSql, [now]);
}

const pullBackJobsSql = `
  UPDATE engine.job SET due_at = $1::timestamptz + (due_at - planned_at), planned_at = $1
  WHERE id IN (SELECT id FROM engine.job WHERE state = 'later' AND due_at > $1 AND planned_at > $1
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

const pullBackLeasesSql = "UPDATE engine.worker SET until = $1 WHERE until > $1";

const pullBackDedupeKeysSql = "UPDATE engine.seen SET at = $1 WHERE at > $1";
