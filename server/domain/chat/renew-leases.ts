import type { Hub } from "../../context";
import { createBatcher } from "../../lib/batch";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { memoizePer } from "../../lib/memoize-per";

/** So long a chat counts as alive after its process was last heard of. */
export const LEASE_MS = 30_000;

/** Until when a chat counts as alive that nobody hears of again. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Says that a chat of this process is still under way. One statement for all that say so at once; never throws. */
export const renewLeases = memoizePer((hub: Hub) => {
  const renew = createBatcher<string, void>(
    async (ids) => {
      await hub.db.query(statement, [ids, leaseUntil(hub.now())]);
      return ids.map(() => undefined);
    },
    { maxItems: 10_000, limiter: createConcurrencyLimit(1) },
  );
  // The next one comes soon, and a lease outlives two that fail.
  return (id: string): void =>
    void renew(id).catch((error: unknown) => hub.log.warn({ err: error }, "lease not renewed"));
});

// What is locked is about to end, and needs no renewal: waiting for it could block its end in turn.
const statement = `
  UPDATE generation SET deadline_at = $2
  WHERE id IN (SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)`;
