import type { Hub } from "../../context";
import { REDISPATCH_AFTER_SECONDS } from "./dispatch-deliveries";

/** Plans deliveries anew whose next attempt was planned by a clock that went back since. Returns how many. */
export async function pullBackDeliveries(hub: Hub): Promise<number> {
  return (await hub.db.query(pullBack, [hub.now()])).length;
}

const plannedSql = "coalesce(planned_at, created_at)";

const pullBack = `
  WITH late AS MATERIALIZED (
    SELECT id, greatest(next_attempt_at - greatest(${plannedSql} - $1::timestamptz, interval '0'), $1) AS next_attempt_at
    FROM delivery
    WHERE state = 'pending' AND (${plannedSql} > $1 OR nudge_at > greatest(next_attempt_at, $1) + interval '${REDISPATCH_AFTER_SECONDS} s')
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE delivery d SET next_attempt_at = late.next_attempt_at, planned_at = least($1, ${plannedSql}),
    nudge_at = least(d.nudge_at, late.next_attempt_at + interval '${REDISPATCH_AFTER_SECONDS} s')
  FROM late WHERE d.id = late.id
  RETURNING d.id`;
