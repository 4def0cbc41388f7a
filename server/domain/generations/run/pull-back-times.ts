import { float8, timestamptz, uuid } from "../../../db/column-types";
import { statement } from "../../../db/statement";
import { LEASE_MS } from "./chat-lease";
import type { RunHub } from "./hub";
import { LEASE_SECONDS } from "./lease";
import { CLAIM_MS, MAX_SUBMIT_MS } from "../attempts";
import { pullBackWaitsSql } from "../queue/sql";
import { selectUnsettledSql } from "../row/sql";
import { pullBackBreakers } from "../../routing";

/**
 * Corrects times that were stored before the system clock was set back: no deadline, claim, lease, breaker or trial may be further
 * in the future than its own duration, and no dispatch or wait for a route may be in the future. GPU time counts on from the
 * worker's last heartbeat. Returns how many rows it changed.
 */
export async function pullBackTimes(hub: RunHub): Promise<number> {
  const [breakers, waits] = [await pullBackBreakers(hub), await pullBackWaits(hub.db, hub.now())];
  const generations = await pullBackGenerations(hub.db, hub.now(), hub.env.SUPPLY_TTL_HOURS);
  return breakers + waits.length + generations.length;
}

const pullBackWaits = statement({ params: [timestamptz], row: { generation_id: uuid }, text: pullBackWaitsSql });

const maxDurationSql = `
  CASE WHEN g.status = 'awaiting_supply' THEN $2::float8 * interval '1 hour'
       WHEN g.is_llm THEN interval '${LEASE_MS} ms'
       ELSE g.timeout_seconds * interval '1 second' END`;

// A claim lasts at most as long as its generation's timeout or a submit, plus the claim's own duration.
const maxClaimSql = `greatest(g.timeout_seconds * interval '1 second', interval '${MAX_SUBMIT_MS} ms') + interval '${CLAIM_MS} ms'`;

const maxLeaseSql = `$1::timestamptz + interval '${LEASE_SECONDS} seconds'`;
// By how much the clocks of processes may differ, which must not add to GPU time.
const MAX_SKEW_SECONDS = 10;
// By how much the clock went back since a worker's last heartbeat, which set the end of the lease.
const setBackSql = `
  CASE WHEN g.lease_expires_at > ${maxLeaseSql} + interval '${MAX_SKEW_SECONDS} seconds' THEN g.lease_expires_at - (${maxLeaseSql})
       ELSE interval '0' END`;

const pullBackGenerations = statement({
  params: [timestamptz, float8],
  row: { id: uuid },
  text: `
    WITH late AS MATERIALIZED (
      SELECT g.id, $1::timestamptz + ${maxDurationSql} AS deadline_at, ${setBackSql} AS set_back FROM generation g
      WHERE g.id IN (${selectUnsettledSql("id")})
        AND (g.deadline_at > $1::timestamptz + ${maxDurationSql} OR g.dispatched_at > $1
             OR g.claim_expires_at > $1::timestamptz + ${maxClaimSql}
             OR g.lease_expires_at > ${maxLeaseSql})
      ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
    ),
    -- All times of a lease move by as much: what was metered stays, and further time adds to it.
    attempts AS (
      UPDATE attempt SET started_at = attempt.started_at - late.set_back FROM late
      WHERE attempt.generation_id = late.id AND attempt.ended_at IS NULL AND late.set_back > interval '0'
    )
    UPDATE generation g SET
      deadline_at = CASE WHEN g.deadline_at > late.deadline_at THEN late.deadline_at ELSE g.deadline_at END,
      claim_expires_at = CASE WHEN g.claim_expires_at > $1::timestamptz + ${maxClaimSql}
        THEN $1::timestamptz + interval '${CLAIM_MS} ms' ELSE g.claim_expires_at END,
      dispatched_at = CASE WHEN g.dispatched_at > $1 THEN $1 ELSE g.dispatched_at END,
      leased_at = g.leased_at - late.set_back,
      metered_at = g.metered_at - late.set_back,
      lease_expires_at = CASE WHEN g.lease_expires_at > ${maxLeaseSql}
        THEN least(${maxLeaseSql}, late.deadline_at) ELSE g.lease_expires_at END
    FROM late WHERE g.id = late.id
    RETURNING g.id`,
});
