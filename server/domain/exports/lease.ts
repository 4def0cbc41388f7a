import { array, int4, int8, jsonb, jsonbText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { Position } from "./position";

/** How long an export belongs to a process that does not renew it. */
export const LEASE_MS = 60_000;

/** Returns the error that ends the work of a process without a lease. */
export const leaseLostError = () => new Error("the export has ended, or another process makes it");

const taskColumns = {
  id: uuid,
  account_id: int4,
  created_at: timestamptz,
  position: jsonb<Position>(),
  done: int8,
  total: nullable(int8),
  failures: int4,
  unreadable: array(uuid),
};

/** An export that this process makes. */
export type Task = RowOf<typeof taskColumns> & { lease: string };

/** Leases the running export that has been due longest, or the one with `:id` if it is due. Returns no row without one. */
export const claimExport = statement({
  params: { lease: uuid, expires: timestamptz, now: timestamptz, id: nullable(uuid) },
  row: taskColumns,
  text: `
    UPDATE account_export e SET lease_id = :lease, lease_expires_at = :expires
    WHERE e.id = (
      SELECT due.id FROM account_export due
      WHERE due.state = 'running' AND due.next_attempt_at <= :now AND (:id::uuid IS NULL OR due.id = :id)
        AND (due.lease_expires_at IS NULL OR due.lease_expires_at <= :now)
      ORDER BY due.next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING e.id, e.account_id, e.created_at, e.position, e.done, e.total, e.failures, e.unreadable`,
});

/** Ends the running exports of suspended accounts, whose processes notice it when they renew their leases. */
export const endSuspended = statement({
  params: [timestamptz],
  row: { id: uuid },
  text: `
    UPDATE account_export e
    SET state = 'failed', error = 'The account was suspended.', ended_at = $1, expires_at = $1
    FROM account a WHERE a.id = e.account_id AND a.suspended AND e.state = 'running' RETURNING e.id`,
});

/**
 * Extends a lease, and stores how much there is to write. Returns no row if the lease is lost, or the export is no longer
 * running.
 */
export const renewLease = statement({
  params: { id: uuid, lease: uuid, expires: timestamptz, total: nullable(int8) },
  row: { id: uuid },
  text: `
    UPDATE account_export SET lease_expires_at = :expires, total = :total
    WHERE id = :id AND lease_id = :lease AND state = 'running' RETURNING id`,
});

/** Ends a lease, so that others need not wait until it expires. */
export const releaseLease = statement({
  params: [uuid, uuid],
  row: {},
  text: "UPDATE account_export SET lease_id = NULL, lease_expires_at = NULL WHERE id = $1 AND lease_id = $2",
});

/** Inserts a part that is about to be written. Returns no row if the lease is lost, or the export is no longer running. */
export const insertPart = statement({
  params: [uuid, uuid, uuid],
  row: { key: uuid },
  text: `
    INSERT INTO account_export_part (key, export_id)
    SELECT $1, id FROM account_export WHERE id = $2 AND lease_id = $3 AND state = 'running' RETURNING key`,
});

/**
 * Adds a written part to the archive, and moves the export to the position after it; `:ends` is the time of the end, and
 * null if more follows. Returns no row if the lease is lost, or the export is no longer running.
 */
export const appendPart = statement({
  params: {
    key: uuid,
    id: uuid,
    lease: uuid,
    size: int8,
    stored_size: int8,
    entries: int8,
    missing: jsonbText,
    done: int8,
    position: jsonb<Position>(),
    ends: nullable(timestamptz),
    expires: nullable(timestamptz),
  },
  row: { key: uuid },
  text: `
    WITH moved AS (
      UPDATE account_export SET
        parts = parts + 1, size = size + :size, entries = entries + :entries, done = :done, position = :position,
        missing = missing + jsonb_array_length(:missing::jsonb), failures = 0,
        state = CASE WHEN :ends::timestamptz IS NULL THEN state ELSE 'ready' END, ended_at = :ends, expires_at = :expires
      WHERE id = :id AND lease_id = :lease AND state = 'running' RETURNING id, parts, size
    )
    UPDATE account_export_part part SET
      n = moved.parts, start = moved.size - :size, size = :size, stored_size = :stored_size, missing = :missing
    FROM moved WHERE part.key = :key AND part.export_id = moved.id RETURNING part.key`,
});

/** Stores that a part failed and when it is tried again, and a file that is left out from now on if one is named. */
export const recordFailure = statement({
  params: { id: uuid, lease: uuid, next: timestamptz, unreadable: array(uuid) },
  row: {},
  text: `
    UPDATE account_export SET
      failures = CASE WHEN cardinality(:unreadable::uuid[]) = 0 THEN failures + 1 ELSE 0 END,
      unreadable = unreadable || :unreadable, next_attempt_at = :next
    WHERE id = :id AND lease_id = :lease AND state = 'running'`,
});

/** Ends an export that failed. */
export const failExport = statement({
  params: { id: uuid, lease: uuid, now: timestamptz, error: text },
  row: {},
  text: `
    UPDATE account_export SET state = 'failed', error = :error, ended_at = :now, expires_at = :now
    WHERE id = :id AND lease_id = :lease AND state = 'running'`,
});
