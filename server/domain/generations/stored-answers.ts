import type { Ctx, Hub } from "../../context";
import { findReplay, type Idempotency } from "./find-replay";

const DAY_MS = 86_400_000;

/**
 * Returns the stored answer of this idempotency key, or null when the key is free. Throws 409 and 503 like
 * `findReplay`.
 */
export async function findStoredAnswer(ctx: Ctx, idempotency: Idempotency): Promise<string | null> {
  const earlier = await findReplay(ctx, true, idempotency);
  if (!earlier) return null;
  const [row] = await ctx.hub.db.query<{ answer: string | null }>(
    "SELECT stored_answer AS answer FROM generation WHERE id = $1",
    [earlier.id],
  );
  // A concurrent request may have committed this answer asynchronously, so it must be durable before it is sent.
  await ctx.hub.services.waitForDurability();
  return row?.answer ?? null;
}

/**
 * Deletes up to `limit` answers older than a day and their idempotency keys; the generations stay. Returns how many.
 */
export async function purgeAnswers(hub: Hub, limit: number): Promise<number> {
  const rows = await hub.db.query(
    `UPDATE generation SET stored_answer = NULL, idempotency_key = NULL WHERE id IN (
       SELECT id FROM generation WHERE stored_answer IS NOT NULL AND completed_at < $1
       ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id`,
    [new Date(hub.now().getTime() - DAY_MS), limit],
  );
  return rows.length;
}
