import type { Hub } from "../../context";
import { REDISPATCH_AFTER_SECONDS } from "./dispatch-deliveries";
import type { EventRow } from "./render";

/** A delivery whose next attempt is the caller's to make. */
export interface ClaimedDelivery extends EventRow {
  id: string;
  round: number;
  /** Made before in this round. */
  attempts: number;
  name: string;
  created_at: Date;
  generation_id: string | null;
  endpoint_id: string;
  slow: boolean;
  url: string;
  secret: Buffer;
  /** Null once it signs no longer. */
  previous_secret: Buffer | null;
}

// An attempt ends within 15 seconds; one that is not recorded by then was lost with its process.
const LEASE_MS = 30_000;

/**
 * Takes the next attempt of a delivery, if it is due and nobody else has it; that of a slow endpoint only if the
 * caller `waits` in the lane that is left to it. Until it is recorded the delivery looks
 * as if its next attempt were due at the end of a lease, so that a crash repeats it and nobody else does.
 */
export async function claimDelivery(
  hub: Hub,
  id: string,
  round: number,
  waits: boolean,
): Promise<ClaimedDelivery | null> {
  const now = hub.now();
  const lost = new Date(now.getTime() + LEASE_MS);
  const nudge = new Date(lost.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const [claimed] = await hub.db.query<ClaimedDelivery>(statement, [id, round, now, lost, nudge, waits]);
  return claimed ?? null;
}

const statement = `
  UPDATE delivery d SET next_attempt_at = $4, nudge_at = $5, planned_at = $3
  FROM event e, endpoint p
  WHERE d.id = $1 AND d.round = $2 AND d.state = 'pending' AND d.next_attempt_at <= $3
    AND e.n = d.event_n AND p.id = d.endpoint_id AND p.revoked_at IS NULL AND (NOT p.slow OR $6)
  RETURNING d.id, d.round, d.attempts, e.n, e.name, e.created_at, e.generation_id, e.snapshot, e.data,
            p.id AS endpoint_id, p.slow, p.url, p.secret,
            CASE WHEN p.previous_until > $3 THEN p.previous_secret END AS previous_secret`;
