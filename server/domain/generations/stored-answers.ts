import type { Ctx, Hub } from "../../context";
import { int8Number, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { findReplay, type Idempotency } from "./find-replay";

const DAY_MS = 86_400_000;

/**
 * Returns the stored answer of this idempotency key, or null when the key is free. Throws 409 and 503 like
 * `findReplay`.
 */
export async function findStoredAnswer(ctx: Ctx, idempotency: Idempotency): Promise<string | null> {
  const earlier = await findReplay(ctx, true, idempotency);
  if (!earlier) return null;
  const [row] = await selectAnswer(ctx.hub.db, earlier.id);
  // A concurrent request may have committed this answer asynchronously, so it must be durable before it is sent.
  await ctx.hub.services.waitForDurability();
  return row?.stored_answer ?? null;
}

const selectAnswer = statement({
  params: [uuid],
  row: { stored_answer: nullable(text) },
  text: "SELECT stored_answer FROM generation WHERE id = $1",
});

/**
 * Deletes up to `limit` answers older than a day and their idempotency keys; the generations stay. Returns how many.
 */
export async function purgeAnswers(hub: Hub, limit: number): Promise<number> {
  return (await clearAnswers(hub.db, new Date(hub.now().getTime() - DAY_MS), limit)).length;
}

const clearAnswers = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: `
    UPDATE generation SET stored_answer = NULL, idempotency_key = NULL WHERE id IN (
      SELECT id FROM generation WHERE stored_answer IS NOT NULL AND completed_at < $1
      ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`,
});
