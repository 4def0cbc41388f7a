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
 * in the future than its own duration, and no dispatch or wait for a route may be in the future. Returns how many rows it changed.
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

const pullBackGenerations = statement({
  params: [timestamptz, float8],
  row: { id: uuid },
  text: `
    WITH late AS MATERIALIZED (
      SELECT g.id, $1::timestamptz + ${maxDurationSql} AS deadline_at FROM generation g
      WHERE g.id IN (${selectUnsettledSql("id")})
        AND (g.deadline_at > $1::timestamptz + ${maxDurationSql} OR g.dispatched_at > $1
             OR g.claim_expires_at > $1::timestamptz + ${maxClaimSql}
             OR g.lease_expires_at > $1::timestamptz + interval '${LEASE_SECONDS} seconds')
      ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
    )
    UPDATE generation g SET
      deadline_at = CASE WHEN g.deadline_at > late.deadline_at THEN late.deadline_at ELSE g.deadline_at END,
      claim_expires_at = CASE WHEN g.claim_expires_at > $1::timestamptz + ${maxClaimSql}
        THEN $1::timestamptz + interval '${CLAIM_MS} ms' ELSE g.claim_expires_at END,
      dispatched_at = CASE WHEN g.dispatched_at > $1 THEN $1 ELSE g.dispatched_at END,
      lease_expires_at = CASE WHEN g.lease_expires_at > $1::timestamptz + interval '${LEASE_SECONDS} seconds'
        THEN least($1::timestamptz + interval '${LEASE_SECONDS} seconds', late.deadline_at) ELSE g.lease_expires_at END
    FROM late WHERE g.id = late.id
    RETURNING g.id`,
});
