import { z } from "zod";
import { batchActions } from "../actions/batches";
import { parseAmount } from "../actions/parse-amount";
import { createBatch, getBatch, listBatches, MAX_INPUTS, previewBatch, serializeBatch } from "../domain/batches";
import { LabelInput, withLabels } from "../domain/labels";
import { isAppError } from "../errors";
import { idempotencyKey, toIdempotency } from "./idempotency";
import { byId, cursor, mutationOf, pageOrFirst, procedure, router } from "./procedure";

const PAGE = 20;

const Request = z.object({
  model: z.string().min(1).max(200),
  inputs: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_INPUTS),
});

export const batches = router({
  list: procedure("read")
    .input(z.object({ cursor }))
    .query(async ({ ctx, input: { cursor } }) => {
      const page = await pageOrFirst(cursor, (cursor) => listBatches(ctx, { limit: PAGE, cursor }));
      return { data: page.data.map(serializeBatch), next_cursor: page.next_cursor };
    }),

  get: procedure("read")
    .input(byId)
    .query(async ({ ctx, input: { id } }) => serializeBatch(await getBatch(ctx, id))),

  cancel: mutationOf(batchActions.cancel),

  // A mutation, because the inputs are too long for a URL.
  preview: procedure("develop")
    .meta({ cost: "read" })
    .input(Request)
    .mutation(({ ctx, input }) => previewBatch(ctx, input)),

  create: procedure("develop")
    .input(Request.extend({ idempotencyKey, max_cost: z.number().positive().max(1_000_000).optional(), ...LabelInput }))
    .mutation(async ({ ctx, input: { idempotencyKey, ...body } }) => {
      const { metadata, end_user: endUser, max_cost, ...request } = body;
      const maxCost = max_cost === undefined ? undefined : parseAmount(max_cost, "max_cost");
      const labeled = withLabels(ctx, { metadata, endUser });
      const batch = await createBatch(labeled, { ...request, maxCost }, toIdempotency(idempotencyKey, body)).then(
        ({ batch }) => batch,
        (error: unknown) => {
          // A repeated request joins the batch that is still running.
          if (!isAppError(error) || !error.extras.batch_id) throw error;
          return getBatch(ctx, error.extras.batch_id);
        },
      );
      return serializeBatch(batch);
    }),
});
