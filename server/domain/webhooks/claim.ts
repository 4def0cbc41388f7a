import type { Hub } from "../../context";
import { bool, bytea, int4, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { REDISPATCH_AFTER_SECONDS } from "../events/dispatch-deliveries";
import { eventColumns } from "./render";

const claimedColumns = {
  ...eventColumns,
  id: uuid,
  round: int4,
  /** Attempts already made in this round. */
  attempts: int4,
  name: text,
  created_at: timestamptz,
  generation_id: nullable(uuid),
  endpoint_id: uuid,
  slow: bool,
  url: text,
  secret: bytea,
  /** Null when its overlap with the current secret has ended. */
  previous_secret: nullable(bytea),
};

/** A delivery whose next attempt the caller must make. */
export type ClaimedDelivery = RowOf<typeof claimedColumns>;

// An attempt takes at most 15 seconds, so one that is not recorded by the end of its lease was lost with its process.
const LEASE_MS = 30_000;

/**
 * Claims the next attempt of a delivery if it is due; for a slow endpoint only if the caller runs `inSlowGroup`. Until
 * the attempt is recorded, the next one is due at the end of a lease, so that it is repeated only after a crash.
 * Returns null when there is nothing to claim.
 */
export async function claimDelivery(
  hub: Hub,
  id: string,
  round: number,
  inSlowGroup: boolean,
): Promise<ClaimedDelivery | null> {
  const now = hub.now();
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  const redispatchAt = new Date(leaseEnd.getTime() + REDISPATCH_AFTER_SECONDS * 1000);
  const [claimed] = await claimIfDue(hub.db, id, round, now, leaseEnd, redispatchAt, inSlowGroup);
  return claimed ?? null;
}

const claimIfDue = statement({
  params: [uuid, int4, timestamptz, timestamptz, timestamptz, bool],
  row: claimedColumns,
  text: `
    UPDATE delivery d SET next_attempt_at = $4, redispatch_at = $5, scheduled_at = $3
    FROM event e, endpoint p
    WHERE d.id = $1 AND d.round = $2 AND d.state = 'pending' AND d.next_attempt_at <= $3
      AND e.n = d.event_n AND p.id = d.endpoint_id AND p.revoked_at IS NULL AND (NOT p.slow OR $6)
    RETURNING d.id, d.round, d.attempts, e.n, e.name, e.created_at, e.generation_id, e.snapshot, e.data,
              p.id AS endpoint_id, p.slow, p.url, p.secret,
              CASE WHEN p.previous_secret_expires_at > $3 THEN p.previous_secret END AS previous_secret`,
});
