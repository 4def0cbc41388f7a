import type { Queryable } from "../../db/client";
import { array, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { refundUploadsSql } from "../accounts/sql";
import { markRemoved } from "./delete";
import type { FilesHub } from "./hub";
import { filesInUseSql } from "./in-use";
import { removeContent } from "./thumbnail";

const CHUNK_SIZE = 100;
const UNFINISHED_TTL_MS = 3_600_000;

/**
 * Removes the content of expired files and keeps their rows; deletes unfinished uploads and unpublished outputs of ended
 * generations after an hour; deletes copies of external inputs once their generation has ended; and ends direct uploads
 * that have expired. Handles at most `limit` of each and returns the total. Safe to interrupt at any point and to run in
 * several hubs at once: content is removed before its row, so no content is left without a row.
 */
export async function expireFiles(hub: FilesHub, limit: number): Promise<number> {
  await hub.storage.sweep(new Date(hub.now().getTime() - UNFINISHED_TTL_MS));
  return (
    (await removeAll(hub, limit, expiredFiles)) +
    (await removeAll(hub, limit, unfinishedFiles)) +
    (await removeAll(hub, limit, endedCopies)) +
    (await expireDirectUploads(hub, limit))
  );
}

interface Category {
  /** Locks at most `maxRows` rows that are due and returns their ids. */
  find: (tx: Queryable, now: Date, maxRows: number) => Promise<{ id: string }[]>;
  /** Updates or deletes the rows whose content was removed. */
  finalize: (tx: Queryable, ids: string[], now: Date) => Promise<unknown>;
}

async function removeAll(hub: FilesHub, limit: number, category: Category): Promise<number> {
  for (let removedTotal = 0; ;) {
    const maxRows = Math.min(CHUNK_SIZE, limit - removedTotal);
    const { found, removed } = await removeChunk(hub, maxRows, category);
    removedTotal += removed;
    if (found < maxRows || removed < found || removedTotal >= limit) return removedTotal;
  }
}

// The rows stay locked while their content is removed: a concurrent publication waits, and then finds no row.
const removeChunk = (hub: FilesHub, maxRows: number, { find, finalize }: Category) =>
  hub.db.transaction(async (tx) => {
    const now = hub.now();
    const rows = await find(tx, now, maxRows);
    const ids = await removeAllContents(
      hub,
      rows.map(({ id }) => id),
    );
    await finalize(tx, ids, now);
    return { found: rows.length, removed: ids.length };
  });

/** Returns the ids whose content was removed; the rows of failed removals stay for the next sweep. */
async function removeAllContents(hub: FilesHub, ids: string[]): Promise<string[]> {
  const removing = createConcurrencyLimit(8);
  const outcomes = await Promise.allSettled(ids.map((id) => removing.run(() => removeContent(hub, id))));
  return ids.filter((id, index) => {
    const outcome = outcomes[index]!;
    if (outcome.status === "rejected") hub.log.warn({ err: outcome.reason as Error, file: id }, "content not removed");
    return outcome.status === "fulfilled";
  });
}

/**
 * Removes the content and then the rows of outputs that `eraseOutputsSql` has hidden. What fails or is interrupted is left to
 * `expireFiles`, which finds them as outputs that were never published.
 */
export async function removeErasedOutputs(hub: FilesHub, ids: string[]): Promise<void> {
  if (ids.length > 0) await deleteFiles(hub.db, await removeAllContents(hub, ids));
}

// One minute of grace: a generation accepted just before the file expired may not be committed yet.
const dueSql =
  "f.removed_at IS NULL AND f.stored_at IS NOT NULL AND f.expires_at < $1::timestamptz - interval '1 minute'";

const declareFind = (text: string) => statement({ params: [timestamptz, int8Number], row: { id: uuid }, text });

const declareDelete = (table: "file" | "input_copy") =>
  statement({ params: [array(uuid)], row: {}, text: `DELETE FROM ${table} WHERE id = ANY ($1::uuid[])` });
const deleteFiles = declareDelete("file");
const deleteCopies = declareDelete("input_copy");

const expiredFiles: Category = {
  find: declareFind(`
    WITH used AS MATERIALIZED (${filesInUseSql(`SELECT f.account_id FROM file f WHERE ${dueSql}`)})
    SELECT f.id FROM file f
    WHERE ${dueSql} AND NOT EXISTS (
      SELECT FROM used
      WHERE used.file_id = f.id AND used.account_id = f.account_id AND used.accepted_at < f.expires_at)
    ORDER BY f.expires_at LIMIT $2 FOR UPDATE OF f SKIP LOCKED`),
  finalize: markRemoved,
};

const unfinishedFiles: Category = {
  find: declareFind(`
    SELECT f.id FROM file f LEFT JOIN generation g ON g.id = f.generation_id
    WHERE f.stored_at IS NULL AND f.created_at < $1::timestamptz - interval '${UNFINISHED_TTL_MS} ms'
      AND (f.generation_id IS NULL OR g.settled_at IS NOT NULL)
    ORDER BY f.created_at LIMIT $2 FOR UPDATE OF f SKIP LOCKED`),
  finalize: (tx, ids) => deleteFiles(tx, ids),
};

// A copy that is being fetched stays, because its content may be written after this removal.
const endedCopies: Category = {
  find: declareFind(`
    SELECT c.id FROM input_copy c JOIN generation g ON g.id = c.generation_id
    WHERE g.settled_at IS NOT NULL AND (c.claimed_until IS NULL OR c.claimed_until <= $1 OR c.stored_at IS NOT NULL)
    ORDER BY c.created_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED`),
  finalize: (tx, ids) => deleteCopies(tx, ids),
};

/**
 * Ends at most `limit` direct uploads that have expired: removes their staged content, then their rows, which frees the
 * quota of those without a file. Returns how many were found.
 */
async function expireDirectUploads(hub: FilesHub, limit: number): Promise<number> {
  const { direct } = hub.storage;
  if (!direct) return 0;
  const due = await selectDue(hub.db, hub.now(), limit);
  const ended: string[] = [];
  for (const { id } of due) {
    try {
      await direct.removeStaged(id);
      ended.push(id);
    } catch (error) {
      hub.log.warn({ err: error, upload: id }, "staged content not removed");
    }
  }
  if (ended.length > 0) await deleteUploads(hub.db, ended);
  return due.length;
}

const selectDue = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: "SELECT id FROM direct_upload WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2",
});

// Two processes that end the same upload free its quota once, because only one deletes the row.
const deleteUploads = statement({
  params: [array(uuid)],
  row: {},
  text: `
    WITH removed AS (
      DELETE FROM direct_upload WHERE id = ANY ($1::uuid[])
      RETURNING account_id, NULL::uuid AS generation_id, CASE WHEN file_id IS NULL THEN size ELSE 0 END AS size
    ),
    ${refundUploadsSql}`,
});
