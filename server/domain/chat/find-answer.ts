import type { Ctx } from "../../context";
import { waitForDurability } from "../../db/durability";
import { findReplay, type Idempotency } from "../generations/find-replay";

/** What this key was answered before, or null when it is free. 409 and 503 as `findReplay`. */
export async function findAnswer(ctx: Ctx, idempotency: Idempotency): Promise<string | null> {
  const earlier = await findReplay(ctx, true, idempotency);
  if (!earlier) return null;
  const [row] = await ctx.db.query<{ answer: string | null }>("SELECT answer FROM generation WHERE id = $1", [
    earlier.id,
  ]);
  // It may be another's, who still waits for the disk.
  await waitForDurability(ctx.db);
  return row?.answer ?? null;
}
