import { z } from "zod";
import { completeChat } from "../domain/chat/complete-chat";
import { getStoredGeneration } from "../domain/generations/get";
import { serializeGeneration } from "../domain/generations/serialize-generation";
import { startGeneration } from "../domain/generations/start";
import { isAppError } from "../errors";
import { hashCanonicalJson } from "../lib/canonical";
import { json, procedure, router } from "./procedure";

const model = z.string().min(1).max(200);
/** Of one press of a button: however often it is sent, it is done and paid once. */
const once = z.string().min(16).max(64);

export const playground = router({
  run: procedure
    .input(z.object({ once, model, input: z.record(z.string(), json) }))
    .mutation(async ({ ctx, input: { once, ...body } }) => {
      const { generation } = await startGeneration(ctx, body, idempotencyOf(once, body)).catch(
        async (error: unknown) => {
          // Sent again while it is under way: it is that one.
          if (!isAppError(error) || !error.extras.generation_id) throw error;
          return { generation: await getStoredGeneration(ctx, error.extras.generation_id) };
        },
      );
      return serializeGeneration(ctx.hub, generation);
    }),

  chat: procedure
    .input(z.object({ once, model, messages: z.array(json), max_tokens: z.number().optional() }))
    .mutation(async ({ ctx, input: { once, max_tokens, ...body } }) => {
      const limited = max_tokens === undefined ? body : { ...body, max_tokens };
      const { answer } = await completeChat(ctx, limited, idempotencyOf(once, limited));
      return JSON.parse(answer) as Answer;
    }),
});

/** Under a name that no program's own key is likely to have. */
const idempotencyOf = (once: string, body: object) => ({
  key: `console:${once}`,
  fingerprint: hashCanonicalJson(body),
});

interface Answer {
  id: string;
  choices: { message: { content: string | null }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; cost: number };
}
