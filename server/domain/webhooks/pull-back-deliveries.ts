import type { Hub } from "../../context";
import { timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { REDISPATCH_AFTER_SECONDS } from "../events/dispatch-deliveries";

/** Reschedules deliveries that were scheduled before the system clock was set back. Returns how many. */
export async function pullBackDeliveries(hub: Hub): Promise<number> {
  return (await updateLate(hub.db, hub.now())).length;
}

const scheduledAtSql = "coalesce(scheduled_at, created_at)";

const updateLate = statement({
  params: [timestamptz],
  row: { id: uuid },
  text: `
  WITH late AS MATERIALIZED (
    SELECT id, greatest(next_attempt_at - greatest(${scheduledAtSql} - $1::timestamptz, interval '0'), $1) AS next_attempt_at
    FROM delivery
    WHERE state = 'pending' AND (${scheduledAtSql} > $1 OR redispatch_at > greatest(next_attempt_at, $1) + interval '${REDISPATCH_AFTER_SECONDS} s')
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE delivery d SET next_attempt_at = late.next_attempt_at, scheduled_at = least($1, ${scheduledAtSql}),
    redispatch_at = least(d.redispatch_at, late.next_attempt_at + interval '${REDISPATCH_AFTER_SECONDS} s')
  FROM late WHERE d.id = late.id
  RETURNING d.id`,
});
