import type { Hub } from "../../context";
import { batch } from "../../lib/batch";
import { createLimit } from "../../lib/limit";
import { oncePer } from "../../lib/once-per";

const LEASE_MS = 30_000;

/** Until when a chat counts as alive that nobody hears of again. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Says that a chat of this process is still under way. One statement for all that say so at once; never throws. */
export const renewLeases = oncePer((hub: Hub) => {
  const renew = batch<string, void>(
    async (ids) => {
      await hub.db.query("UPDATE generation SET deadline_at = $2 WHERE id = ANY ($1::uuid[]) AND status = 'running'", [
        ids,
        leaseUntil(hub.now()),
      ]);
      return ids.map(() => undefined);
    },
    { most: 10_000, lane: createLimit(1) },
  );
  // The next one comes soon, and a lease outlives two that fail.
  return (id: string): void =>
    void renew(id).catch((error: unknown) => hub.log.warn({ err: error }, "lease not renewed"));
});
