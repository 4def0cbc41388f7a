import { int4, int8Number, jsonb, nullable, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { OwnWebhook } from "../endpoints";
import { dispatchDeliveries, emitAccountEvent } from "../events";
import { batchColumns, serializeBatch, sumGenerationsSql } from "./batch";
import { cancelWaiting } from "./cancel";
import type { BatchesHub } from "./hub";

/** Batches per statement. */
const MAX_COMPLETED = 50;

/**
 * Completes the batches whose generations have all ended, each with one event, and continues to cancel what is left of
 * canceled ones. Only completing a batch announces it, so repeated calls do no harm. Returns how many it completed.
 */
export async function completeBatches(hub: BatchesHub): Promise<number> {
  for (const waiting of await selectCanceled(hub.db, MAX_COMPLETED)) await cancelWaiting(hub, waiting);
  for (let total = 0; ;) {
    const { count, deliveries } = await hub.db.transaction(async (tx) => {
      const batches = await completeEnded(tx, MAX_COMPLETED);
      // Accounts are locked in one order.
      batches.sort((one, other) => one.account_id - other.account_id);
      const deliveries = [];
      for (const { account_id, webhook, ...batch } of batches)
        deliveries.push(
          ...(await emitAccountEvent(
            tx,
            account_id,
            "batch.completed",
            serializeBatch(batch),
            hub.now(),
            isTold(webhook) ? webhook : null,
          )),
        );
      return { count: batches.length, deliveries };
    });
    dispatchDeliveries(hub, deliveries);
    total += count;
    if (count < MAX_COMPLETED) return total;
  }
}

const isTold = (webhook: OwnWebhook | null) => webhook?.events.includes("batch.completed");

// The newest generation of a batch mostly ends last, and is looked at first.
const hasOpenSql = `EXISTS (
  SELECT FROM (SELECT status FROM generation WHERE account_id = b.account_id AND batch_id = b.id ORDER BY account_id, batch_id, id DESC) g
  WHERE g.status NOT IN ('succeeded', 'failed', 'canceled'))`;

const completeEnded = statement({
  params: [int8Number],
  row: { ...batchColumns, account_id: int4, webhook: nullable(jsonb<OwnWebhook>()) },
  text: `
    WITH ended AS MATERIALIZED (
      SELECT b.id, b.account_id, b.webhook FROM batch b WHERE b.completed_at IS NULL AND NOT ${hasOpenSql}
      LIMIT $1 FOR UPDATE OF b SKIP LOCKED
    )
    UPDATE batch b SET completed_at = now.completed_at, counts = now.counts, billed_cost = now.billed_cost,
                       webhook = CASE WHEN b.erased_at IS NULL THEN b.webhook END
    FROM ended e CROSS JOIN LATERAL (${sumGenerationsSql("e")}) now
    WHERE b.id = e.id
    RETURNING b.id, b.model, b.size, b.estimated_cost, b.created_at, b.canceled_at, now.completed_at, now.counts,
              now.billed_cost, now.reserved_cost, b.account_id, e.webhook`,
});

const selectCanceled = statement({
  params: [int8Number],
  row: { id: uuid, account_id: int4 },
  text: `
    SELECT id, account_id FROM batch b WHERE completed_at IS NULL AND canceled_at IS NOT NULL AND EXISTS (
      SELECT FROM generation WHERE account_id = b.account_id AND batch_id = b.id AND status IN ('queued', 'awaiting_supply'))
    LIMIT $1`,
});
