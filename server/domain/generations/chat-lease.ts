import type { Hub } from "../../context";
import { array, timestamptz, uuid, int8Number } from "../../db/column-types";
import { statement } from "../../db/statement";
import { createBatcher } from "../../lib/batch";
import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { hubStopped } from "./failures";
import { finishGeneration } from "./finish";

/** How long a chat counts as running after its last renewal. */
export const LEASE_MS = 30_000;

/** Returns when the lease of a chat that is renewed now expires. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);

/** Returns a function that renews the lease of a chat. Concurrent renewals share one statement; never throws. */
export function createLeaseRenewal(hub: Hub): (id: string) => void {
  const renew = createBatcher<string, void>(
    async (ids) => {
      await updateLeases(hub.db, ids, leaseUntil(hub.now()));
      return ids.map(() => undefined);
    },
    { maxItems: 10_000, limiter: createConcurrencyLimit(1) },
  );
  // A failed renewal is only logged, because a lease outlives two of them.
  return (id) => void renew(id).catch((error: unknown) => hub.log.warn({ err: error }, "lease not renewed"));
}

// Locked rows are skipped: they are being settled, and waiting for them could block their settlement.
const updateLeases = statement({
  params: [array(uuid), timestamptz],
  row: {},
  text: `
    UPDATE generation SET deadline_at = $2
    WHERE id IN (SELECT id FROM generation WHERE id = ANY ($1::uuid[]) AND status = 'running' FOR NO KEY UPDATE SKIP LOCKED)`,
});

const MAX_PER_STATEMENT = 200;

/**
 * Fails every running chat, which releases its hold and its idempotency key. May only be called by the sole process of
 * a hub before it starts chats itself, because then the processes of these chats have exited. Returns how many.
 */
export async function endOrphanedChats(hub: Hub): Promise<number> {
  for (let ended = 0; ;) {
    const rows = await selectRunningChats(hub.db, MAX_PER_STATEMENT);
    await Promise.all(
      rows.map(({ id }) => finishGeneration(hub, { id, from: ["running"], to: "failed", error: hubStopped })),
    );
    ended += rows.length;
    if (rows.length < MAX_PER_STATEMENT) return ended;
  }
}

const selectRunningChats = statement({
  params: [int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE is_llm AND status = 'running' ORDER BY id LIMIT $1",
});
