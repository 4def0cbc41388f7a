import { z } from "zod";
import { cancel } from "../domain/generations/cancel";
import { get } from "../domain/generations/get";
import { list } from "../domain/generations/list";
import { listAttempts, representAttempt } from "../domain/generations/list-attempts";
import { represent } from "../domain/generations/represent";
import { runAgain } from "../domain/generations/run-again";
import { summarize } from "../domain/generations/summarize";
import { statuses } from "../domain/generations/transitions";
import { listModels } from "../domain/models/list";
import type { Price } from "../domain/pricing/price";
import { representDelivery } from "../domain/webhooks/delivery";
import { listDeliveriesOf } from "../domain/webhooks/list-deliveries-of";
import { toEuros } from "../lib/money";
import { byId, cursor, procedure, router } from "./procedure";
import { formatRunUrl } from "./run-url";

const RECENT = 8;
const PAGE = 20;

export const generations = router({
  recent: procedure.query(async ({ ctx }) => {
    const { data } = await list(ctx, { limit: RECENT, exclude_llm: false });
    return data.map((generation) => summarize(ctx.hub, generation));
  }),

  list: procedure
    .input(
      z.object({
        status: z.enum(statuses).optional(),
        model: z.string().max(200).optional(),
        exclude_llm: z.boolean().optional(),
        cursor,
      }),
    )
    .query(async ({ ctx, input }) => {
      const { data, next_cursor, total_billed } = await list(ctx, { ...input, limit: PAGE });
      return {
        data: data.map((generation) => summarize(ctx.hub, generation)),
        next_cursor,
        total_billed: toEuros(total_billed),
      };
    }),

  /** The models that a listing can be narrowed to. */
  models: procedure.query(({ ctx }) => listModels(ctx).map(({ id }) => id)),

  get: procedure.input(byId).query(async ({ ctx, input: { id } }) => {
    const generation = await get(ctx, id);
    const [attempts, deliveries] = await Promise.all([listAttempts(ctx, id), listDeliveriesOf(ctx, id)]);
    return {
      ...represent(ctx.hub, generation),
      price: generation.price as Price,
      deadline_at: generation.deadline_at?.toISOString() ?? null,
      run_url: formatRunUrl(ctx.hub.env, generation.run_id),
      attempts: attempts.map(representAttempt),
      deliveries: deliveries.map((delivery) => ({ ...representDelivery(delivery), url: delivery.url })),
    };
  }),

  cancel: procedure.input(byId).mutation(async ({ ctx, input }) => represent(ctx.hub, await cancel(ctx, input.id))),

  runAgain: procedure.input(byId).mutation(async ({ ctx, input }) => represent(ctx.hub, await runAgain(ctx, input.id))),
});
