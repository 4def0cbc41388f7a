import type { Queryable } from "../../server/db/client";
import { LEASE_MS } from "./lease";

/**
 * Puts times that a clock set before it went back where they would be by the clock of today: no job is due, and no
 * lease or record of an event lasts, for longer than its own length from now.
 */
export async function pullBackTimes(on: Queryable, now: Date): Promise<void> {
  await on.query(pullBackJobs, [now]);
  await on.query(pullBackLeases, [new Date(now.getTime() + LEASE_MS)]);
  await on.query(pullBackSeen, [now]);
}

const pullBackJobs = `
  UPDATE engine.job SET due_at = $1::timestamptz + (due_at - planned_at), planned_at = $1
  WHERE id IN (SELECT id FROM engine.job WHERE state = 'later' AND due_at > $1 AND planned_at > $1
               ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

const pullBackLeases = "UPDATE engine.worker SET until = $1 WHERE until > $1";

const pullBackSeen = "UPDATE engine.seen SET at = $1 WHERE at > $1";
