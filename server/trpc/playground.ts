import { z } from "zod";
import { complete } from "../domain/chat/complete";
import { get } from "../domain/generations/get";
import { represent } from "../domain/generations/represent";
import { start } from "../domain/generations/start";
import { isAppError } from "../errors";
import { fingerprint } from "../lib/canonical";
import { json, procedure, router } from "./procedure";

const model = z.string().min(1).max(200);
/** Of one press of a button: however often it is sent, it is done and paid once. */
const once = z.string().min(16).max(64);

export const playground = router({
  run: procedure
    .input(z.object({ once, model, input: z.record(z.string(), json) }))
    .mutation(async ({ ctx, input: { once, ...body } }) => {
      const { generation } = await start(ctx, body, idempotencyOf(once, body)).catch(async (error: unknown) => {
        // Sent again while it is under way: it is that one.
        if (!isAppError(error) || !error.extras.generation_id) throw error;
        return { generation: await get(ctx, error.extras.generation_id) };
      });
      return represent(ctx.hub, generation);
    }),

  chat: procedure
    .input(z.object({ once, model, messages: z.array(json), max_tokens: z.number().optional() }))
    .mutation(async ({ ctx, input: { once, max_tokens, ...body } }) => {
      const limited = max_tokens === undefined ? body : { ...body, max_tokens };
      const { answer } = await complete(ctx, limited, idempotencyOf(once, limited));
      return JSON.parse(answer) as Answer;
    }),
});

/** Under a name that no program's own key is likely to have. */
const idempotencyOf = (once: string, body: object) => ({ key: `console:${once}`, fingerprint: fingerprint(body) });

interface Answer {
  id: string;
  choices: { message: { content: string | null }; finish_reason: string }[];
  usage: { prompt_tokens: number; completion_tokens: number; cost: number };
}
