import type { Hub } from "../../context";
import { batch } from "../../lib/batch";
import { createLimit } from "../../lib/limit";
import { oncePer } from "../../lib/once-per";

const EVERY_MS = 60_000;

/** Whether the use of a key at this moment is worth a write: at most one a minute. */
export const isWorthNoting = (lastUsed: Date | null, now: Date): boolean =>
  lastUsed === null || now.getTime() - lastUsed.getTime() >= EVERY_MS;

/** Writes down that a key was used just now. One statement for all at once, apart from the request; never throws. */
export const noteUse = oncePer((hub: Hub) => {
  const note = batch<string, void>(
    async (ids) => {
      const now = hub.now();
      await hub.db.query(
        `UPDATE api_key SET last_used_at = $2 WHERE id IN (
           SELECT id FROM api_key WHERE id = ANY ($1::uuid[]) AND (last_used_at IS NULL OR last_used_at <= $3)
           ORDER BY id FOR NO KEY UPDATE)`,
        [[...new Set(ids)], now, new Date(now.getTime() - EVERY_MS)],
      );
      return ids.map(() => undefined);
    },
    { most: 10_000, lane: createLimit(1) },
  );
  return (id: string): void =>
    void note(id).catch((error: unknown) => hub.log.warn({ err: error }, "use of a key not noted"));
});
