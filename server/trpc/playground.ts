import { z } from "zod";
import { completeChat } from "../domain/chat";
import {
  getStoredGeneration,
  listStoredGenerations,
  serializeGeneration,
  toListItem,
} from "../domain/generations/read";
import { startGeneration } from "../domain/generations/intake";
import { LabelInput, withLabels } from "../domain/labels";
import { QuoteInput } from "../domain/quotes";
import { isAppError } from "../errors";
import { idempotencyKey, toIdempotency } from "./idempotency";
import { contentProcedure, procedure, router } from "./procedure";
import { ChatInput, toChat } from "./stream-chat";

const MAX_RECENT_RUNS = 20;

export const playground = router({
  /** Returns the account's last generations other than chats. */
  recentRuns: contentProcedure.query(async ({ ctx }) => {
    const { data } = await listStoredGenerations(ctx, { limit: MAX_RECENT_RUNS, exclude_llm: true });
    return data.map((generation) => toListItem(ctx.hub, generation));
  }),

  run: procedure("develop")
    .input(
      z.object({
        idempotencyKey,
        model: ChatInput.shape.model,
        input: z.record(z.string(), z.unknown()),
        quote: QuoteInput.optional(),
        ...LabelInput,
      }),
    )
    .mutation(async ({ ctx, input: { idempotencyKey, quote, ...body } }) => {
      const { metadata, end_user: endUser, ...request } = body;
      const labeled = withLabels(ctx, { metadata, endUser });
      const { generation } = await startGeneration(
        labeled,
        { ...request, quote },
        toIdempotency(idempotencyKey, body),
      ).catch(async (error: unknown) => {
        // A repeated request joins the generation that is still running.
        if (!isAppError(error) || !error.extras.generation_id) throw error;
        return { generation: await getStoredGeneration(ctx, error.extras.generation_id) };
      });
      return serializeGeneration(ctx.hub, generation);
    }),

  /** Completes a chat; a request that accepts server-sent events gets it as a stream. */
  chat: procedure("develop")
    .input(ChatInput)
    .mutation(async ({ ctx, input }) => {
      const { body, idempotency } = toChat(input);
      const { answer } = await completeChat(ctx, body, idempotency);
      return (await ctx.hub.json.parseText(answer)) as Completion;
    }),
});

interface Completion {
  id: string;
  choices: { message: { content: string | null }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; cost: number };
}
