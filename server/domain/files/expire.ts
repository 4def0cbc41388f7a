import type { Hub } from "../../context";
import type { Queryable } from "../../db/client";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { filesInUseSql } from "./in-use";
import { markRemovedSql } from "./mark-removed";

const CHUNK = 100;
const UNFINISHED_MS = 3_600_000;

/**
 * Removes the content of expired files and keeps their records; discards what was never finished: uploads given up
 * and outputs of generations that have ended, an hour old; and removes copies of outside inputs once their generation
 * has ended. At most `limit` of each; answers how many in all. May die at any point and be repeated, also by two hubs at
 * once: the content goes first, so a row is left as long as it is.
 */
export async function expireFiles(hub: Hub, limit: number): Promise<number> {
  await hub.storage.sweep(new Date(hub.now().getTime() - UNFINISHED_MS));
  return (
    (await clear(hub, limit, expired)) + (await clear(hub, limit, unfinished)) + (await clear(hub, limit, endedCopies))
  );
}

interface Kind {
  /** SQL: ids of at most $2 files at the time $1, locked. */
  find: string;
  forget: (tx: Queryable, ids: string[], now: Date) => Promise<unknown>;
}

async function clear(hub: Hub, limit: number, kind: Kind): Promise<number> {
  for (let done = 0; ;) {
    const most = Math.min(CHUNK, limit - done);
    const { found, removed } = await clearChunk(hub, most, kind);
    done += removed;
    if (found < most || removed < found || done >= limit) return done;
  }
}

// The rows stay locked meanwhile: who would still publish one of them waits, and finds it gone.
const clearChunk = (hub: Hub, most: number, { find, forget }: Kind) =>
  hub.db.transaction(async (tx) => {
    const now = hub.now();
    const rows = await tx.query<{ id: string }>(find, [now, most]);
    const ids = await removeContents(
      hub,
      rows.map(({ id }) => id),
    );
    await forget(tx, ids, now);
    return { found: rows.length, removed: ids.length };
  });

/** The ids whose content is gone; a failure of one keeps its row for the next sweep, and the others go on. */
async function removeContents(hub: Hub, ids: string[]): Promise<string[]> {
  const removing = createConcurrencyLimit(8);
  const outcomes = await Promise.allSettled(ids.map((id) => removing.run(() => hub.storage.remove(id))));
  return ids.filter((id, index) => {
    const outcome = outcomes[index]!;
    if (outcome.status === "rejected") hub.log.warn({ err: outcome.reason as Error, file: id }, "content not removed");
    return outcome.status === "fulfilled";
  });
}

// A minute of grace: a generation accepted in a file's last moment may not be committed yet.
const due = "f.removed_at IS NULL AND f.stored_at IS NOT NULL AND f.expires_at < $1::timestamptz - interval '1 minute'";

const expired: Kind = {
  find: `
    WITH used AS MATERIALIZED (${filesInUseSql(`SELECT f.account_id FROM file f WHERE ${due}`)})
    SELECT f.id FROM file f
    WHERE ${due} AND NOT EXISTS (
      SELECT FROM used
      WHERE used.file_id = f.id AND used.account_id = f.account_id AND used.accepted_at < f.expires_at)
    ORDER BY f.expires_at LIMIT $2 FOR UPDATE OF f SKIP LOCKED`,
  forget: (tx, ids, now) => tx.query(markRemovedSql, [ids, now]),
};

const unfinished: Kind = {
  find: `
    SELECT f.id FROM file f LEFT JOIN generation g ON g.id = f.generation_id
    WHERE f.stored_at IS NULL AND f.created_at < $1::timestamptz - interval '${UNFINISHED_MS} ms'
      AND (f.generation_id IS NULL OR g.settled_at IS NOT NULL)
    ORDER BY f.created_at LIMIT $2 FOR UPDATE OF f SKIP LOCKED`,
  forget: (tx, ids) => tx.query("DELETE FROM file WHERE id = ANY ($1::uuid[])", [ids]),
};

// One that is being fetched stays: its content would be written behind us.
const endedCopies: Kind = {
  find: `
    SELECT c.id FROM input_copy c JOIN generation g ON g.id = c.generation_id
    WHERE g.settled_at IS NOT NULL AND (c.claimed_until IS NULL OR c.claimed_until <= $1 OR c.stored_at IS NOT NULL)
    ORDER BY c.created_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
  forget: (tx, ids) => tx.query("DELETE FROM input_copy WHERE id = ANY ($1::uuid[])", [ids]),
};
