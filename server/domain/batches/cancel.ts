import type { Ctx } from "../../context";
import { int4, int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { type EndHub, finishGeneration } from "../generations/end";
import { NIL_ID } from "../../lib/id";
import { type Batch, getBatch } from "./batch";
import type { BatchesHub } from "./hub";

/** How many generations are canceled concurrently, in shared statements. */
const MAX_CANCELED = 100;

/**
 * Cancels the generations of a batch that have not started, at no cost; running ones continue. Canceling again changes
 * nothing. Throws 404, and 409 `generation_not_cancelable` if it is completed.
 */
export async function cancelBatch(ctx: Ctx<BatchesHub>, id: string): Promise<Batch> {
  const { completed_at, canceled_at } = await getBatch(ctx, id);
  if (completed_at && !canceled_at)
    throw new AppError("generation_not_cancelable", "All generations of this batch have ended.");
  // First, so that the sweep continues if this process ends.
  await markCanceled(ctx.hub.db, id, ctx.account.id, ctx.hub.now());
  await cancelWaiting(ctx.hub, { id, account_id: ctx.account.id });
  return getBatch(ctx, id);
}

const markCanceled = statement({
  params: [uuid, int4, timestamptz],
  row: {},
  text: "UPDATE batch SET canceled_at = $3 WHERE id = $1 AND account_id = $2 AND canceled_at IS NULL AND completed_at IS NULL",
});

/** Cancels the generations of a canceled batch that have not started. Safe to repeat. */
export async function cancelWaiting(
  hub: EndHub,
  { id, account_id }: Pick<Batch, "id"> & { account_id: number },
): Promise<void> {
  let last = NIL_ID;
  for (;;) {
    const waiting = await selectWaiting(hub.db, account_id, id, last, MAX_CANCELED);
    await Promise.all(
      waiting.map(async ({ id, fence }) => {
        const canceled = await finishGeneration(hub, {
          id,
          from: ["queued", "awaiting_supply"],
          to: "canceled",
          fence,
        });
        if (canceled) hub.publish({ name: "generation/canceled", data: { id } });
      }),
    );
    if (waiting.length < MAX_CANCELED) return;
    last = waiting.at(-1)!.id;
  }
}

const selectWaiting = statement({
  params: [int4, uuid, uuid, int8Number],
  row: { id: uuid, fence: int4 },
  text: `
    SELECT id, fence FROM generation
    WHERE account_id = $1 AND batch_id = $2 AND id > $3 AND status IN ('queued', 'awaiting_supply')
    ORDER BY account_id, batch_id, id LIMIT $4`,
});
