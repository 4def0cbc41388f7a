import { array, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import type { ExportsHub } from "./hub";
import { endSuspended } from "./lease";

/** How long an export whose content is removed is kept, because it counts against the limit of a day. */
const HISTORY_MS = 7 * 86_400_000;
const MAX_PARTS = 100;

/**
 * Ends exports of suspended accounts, and removes the content of at most `limit` exports that have expired, failed or were
 * deleted. Returns how many. Content is removed before its row, so a crash leaves no content without a row.
 */
export async function purgeExports(hub: ExportsHub, limit: number): Promise<number> {
  const now = hub.now();
  await endSuspended(hub.db, now);
  await deleteOld(hub.db, new Date(now.getTime() - HISTORY_MS), limit);
  let removed = 0;
  for (const { id } of await selectDue(hub.db, now, limit)) {
    try {
      await removeParts(hub, id);
      await markRemoved(hub.db, id, now);
      removed += 1;
    } catch (error) {
      // The storage may be away; the next sweep tries again.
      hub.log.warn({ err: error, export: id }, "an export was not removed");
    }
  }
  return removed;
}

async function removeParts(hub: ExportsHub, id: string): Promise<void> {
  const removing = createConcurrencyLimit(8);
  for (;;) {
    const keys = (await selectKeys(hub.db, id, MAX_PARTS)).map(({ key }) => key);
    if (keys.length === 0) return;
    await Promise.all(keys.map((key) => removing.run(() => hub.storage.remove(key))));
    await deleteParts(hub.db, keys);
  }
}

// The process that makes an export may still write a part until its lease ends.
const selectDue = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    SELECT id FROM account_export
    WHERE removed_at IS NULL AND expires_at <= $1 AND (lease_expires_at IS NULL OR lease_expires_at <= $1)
    ORDER BY expires_at LIMIT $2`,
});

const selectKeys = statement({
  params: [uuid, int8Number],
  row: { key: uuid },
  text: "SELECT key FROM account_export_part WHERE export_id = $1 LIMIT $2",
});

const deleteParts = statement({
  params: [array(uuid)],
  row: {},
  text: "DELETE FROM account_export_part WHERE key = ANY ($1::uuid[])",
});

const markRemoved = statement({
  params: [uuid, timestamptz],
  row: {},
  text: "UPDATE account_export SET removed_at = $2 WHERE id = $1 AND removed_at IS NULL",
});

const deleteOld = statement({
  params: [timestamptz, int8Number],
  row: {},
  text: `
    DELETE FROM account_export WHERE id IN (
      SELECT id FROM account_export WHERE removed_at IS NOT NULL AND removed_at < $1 LIMIT $2
    )`,
});
