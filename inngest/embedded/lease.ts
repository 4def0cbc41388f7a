import type { Queryable } from "../../server/db/client";
import { array, bool, type ColumnType, int8Text, timestamptz, uuid } from "../../server/db/column-types";
import { statement } from "../../server/db/statement";
import { countConcurrencySql } from "./concurrency-groups";

/** How long the lease of an engine instance lasts. */
export const LEASE_MS = 30_000;
/** How often an instance renews its lease, and frees the jobs of instances whose leases have ended. */
export const LEASE_RENEW_MS = 10_000;

/** Begins this instance's lease and frees the jobs of expired ones. Returns whether other instances hold leases. */
export async function beginLease(db: Queryable, instanceId: string, now: Date): Promise<boolean> {
  await upsertLease(db, instanceId, leaseEnd(now));
  return freeExpiredJobs(db, instanceId, now);
}

/**
 * Renews this instance's lease. Frees the jobs of expired leases, and those that this instance holds without knowing,
 * because the answer to their claim was lost: all but `heldJobIds`. Returns whether other instances hold leases.
 */
export async function renewLease(db: Queryable, instanceId: string, now: Date, heldJobIds: string[]): Promise<boolean> {
  await upsertLease(db, instanceId, leaseEnd(now));
  await freeLostClaims(db, instanceId, heldJobIds, leaseEnd(now));
  return freeExpiredJobs(db, instanceId, now);
}

const leaseEnd = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

async function freeExpiredJobs(db: Queryable, instanceId: string, now: Date): Promise<boolean> {
  const [row] = await freeExpired(db, instanceId, now);
  return row!.has_peers;
}

/** Frees the jobs of all other instances regardless of their leases: only for an instance that is known to be alone. */
export const freeAllJobs = (db: Queryable, instanceId: string): Promise<unknown> =>
  freeExpired(db, instanceId, "infinity");

/** Ends this instance's lease and frees the jobs that it still holds. */
export const endLease = (db: Queryable, instanceId: string): Promise<unknown> => deleteLease(db, instanceId);

const upsertLease = statement({
  params: [uuid, timestamptz],
  row: {},
  text: "INSERT INTO engine.instance (id, lease_expires_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET lease_expires_at = excluded.lease_expires_at",
});

// The end of a run misses jobs that are inserted at the same moment. They are deleted here, because no outcome of an ended
// run counts, and they would run again and again.
const freeLostJobsSql = `
  freed AS (
    UPDATE engine.job j SET state = 'ready', instance_id = NULL FROM lost WHERE j.id = lost.id AND j.state = 'taken'
      AND EXISTS (SELECT FROM engine.run r WHERE r.id = j.run_id AND r.status = 'active')
    RETURNING j.concurrency_group_id
  ),
  deleted AS (
    DELETE FROM engine.job j USING lost WHERE j.id = lost.id AND j.state = 'taken'
      AND NOT EXISTS (SELECT FROM engine.run r WHERE r.id = j.run_id AND r.status = 'active')
    RETURNING j.concurrency_group_id
  ),
  group_change AS MATERIALIZED (
    SELECT concurrency_group_id, 0 AS runs, 1 AS waiting, -1 AS executing FROM freed
    UNION ALL SELECT concurrency_group_id, 0, 0, -1 FROM deleted
  ),
  ${countConcurrencySql}
  SELECT EXISTS (SELECT FROM engine.instance WHERE id <> $1) AS has_peers`;

// "infinity" is later than every lease.
const timeOrInfinity: ColumnType<Date | "infinity"> = timestamptz;

const freeExpired = statement({
  params: [uuid, timeOrInfinity],
  row: { has_peers: bool },
  text: `
  WITH ended_lease AS (DELETE FROM engine.instance WHERE id <> $1 AND lease_expires_at < $2),
  lost AS (
    SELECT id FROM engine.job WHERE state = 'taken' AND instance_id <> $1
      AND NOT EXISTS (SELECT FROM engine.instance i WHERE i.id = instance_id AND i.lease_expires_at >= $2)
    ORDER BY id FOR NO KEY UPDATE
  ),
  ${freeLostJobsSql}`,
});

// Postgres may execute this after the engine gave it up, when jobs were claimed that the list does not have. The lease
// was renewed before those claims, so this then frees nothing. The lock makes such a renewal wait until this has ended,
// or else this could free a job that another statement freed and claimed meanwhile.
const freeLostClaims = statement({
  params: [uuid, array(int8Text), timestamptz],
  row: { has_peers: bool },
  text: `
  WITH lease AS MATERIALIZED (
    SELECT id FROM engine.instance WHERE id = $1 AND lease_expires_at = $3 FOR NO KEY UPDATE
  ),
  lost AS (
    SELECT job.id FROM lease JOIN engine.job ON instance_id = lease.id
    WHERE state = 'taken' AND job.id <> ALL ($2::bigint[]) ORDER BY job.id FOR NO KEY UPDATE OF job SKIP LOCKED
  ),
  ${freeLostJobsSql}`,
});

const deleteLease = statement({
  params: [uuid],
  row: { has_peers: bool },
  text: `
  WITH ended_lease AS (DELETE FROM engine.instance WHERE id = $1),
  lost AS (SELECT id FROM engine.job WHERE state = 'taken' AND instance_id = $1 ORDER BY id FOR NO KEY UPDATE),
  ${freeLostJobsSql}`,
});
