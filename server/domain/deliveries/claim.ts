import type { HubParts } from "../../context";
import { bool, bytea, int4, jsonText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { asyncCommitSql } from "../../db/durability";
import { type RowOf, statement } from "../../db/statement";
import { type Batcher, createBatcher } from "../../lib/batch";
import { getRedispatchTime } from "../events";
import { eventColumns } from "../envelopes/sql";
import { signingOwnerSql } from "../webhook-secrets/sql";

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
  /** Null for an own webhook whose account has deleted its signing secret. */
  secret: nullable(bytea),
  /** Whose secret it is. */
  secret_owner: text,
  /** Null when its overlap with the current secret has ended. */
  previous_secret: nullable(bytea),
};

/** A delivery whose next attempt the caller must make. */
export type ClaimedDelivery = RowOf<typeof claimedColumns>;

// An attempt takes at most 20 seconds with its wait, so one that is not recorded by the end of its lease was lost with its process.
const LEASE_MS = 30_000;

/** A delivery to claim; one of a slow endpoint is claimed only `inSlowGroup`. */
interface ClaimRequest {
  id: string;
  round: number;
  inSlowGroup: boolean;
}

export interface ClaimServices {
  /**
   * Claims the next attempt of a delivery if it is due, in one statement that concurrent callers share. Until the attempt
   * is recorded, the next one is due at the end of a lease, so that it is repeated only after a crash. Returns null when
   * there is nothing to claim.
   */
  claimDelivery: Batcher<ClaimRequest, ClaimedDelivery | null>;
}

/** Returns the batcher of `claimDelivery`. */
export const createClaimBatcher = (hub: Pick<HubParts, "db" | "now">): ClaimServices["claimDelivery"] =>
  createBatcher(async (requests) => {
    const now = hub.now();
    const leaseEnd = new Date(now.getTime() + LEASE_MS);
    const due = requests.map(({ id, round, inSlowGroup }) => ({ id, round, in_slow_group: inSlowGroup }));
    const claimed = await claimIfDue(hub.db, JSON.stringify(due), now, leaseEnd, getRedispatchTime(leaseEnd));
    const byId = new Map(claimed.map((row) => [row.id, row]));
    return requests.map(({ id, round }) => {
      const row = byId.get(id);
      if (row?.round !== round) return null;
      // Of several requests for one delivery only the first has claimed it.
      byId.delete(id);
      return row;
    });
  });

// The condition `round > 0` always holds; it makes the planner expect few rows. Rows are locked in the order of their ids, so
// that statements cannot deadlock. The commit is asynchronous: if a crash of Postgres loses a claim, its attempt is repeated
// like any that a crash interrupts.
const claimIfDue = statement({
  params: [jsonText, timestamptz, timestamptz, timestamptz],
  row: { ...claimedColumns, commits_async: nullable(text) },
  text: `
    WITH due AS (
      SELECT DISTINCT ON (id) * FROM json_to_recordset($1::json) AS row (id uuid, round int, in_slow_group bool)
      WHERE round > 0
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM delivery d JOIN due ON due.id = d.id
      WHERE d.round = due.round AND d.state = 'pending' AND d.next_attempt_at <= $2
      ORDER BY d.id FOR NO KEY UPDATE OF d
    )
    UPDATE delivery d SET next_attempt_at = $3, redispatch_at = $4, scheduled_at = $2
    FROM locked JOIN due ON due.id = locked.id, event e,
         endpoint p LEFT JOIN signing_secret s ON s.account_id = p.account_id AND p.secret IS NULL
    WHERE d.id = locked.id AND e.n = d.event_n AND p.id = d.endpoint_id AND p.revoked_at IS NULL
      AND (NOT p.slow OR due.in_slow_group)
    RETURNING d.id, d.round, d.attempts, e.n, e.name, e.created_at, e.generation_id, e.snapshot, e.data,
              p.id AS endpoint_id, p.slow, coalesce(d.url, p.url) AS url, coalesce(p.secret, s.secret) AS secret,
              CASE WHEN p.secret IS NULL THEN ${signingOwnerSql("p.account_id")} ELSE p.id::text END AS secret_owner,
              CASE WHEN p.previous_secret_expires_at > $2 THEN p.previous_secret
                   WHEN s.previous_secret_expires_at > $2 THEN s.previous_secret END AS previous_secret,
              ${asyncCommitSql("true")}`,
});
