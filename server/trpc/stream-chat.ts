import { z } from "zod";
import { streamChat } from "../domain/chat";
import { createOpenAiDialect } from "../domain/dialects";
import type { AppError } from "../errors";
import { toDisplayedError } from "./error";
import { idempotencyKey, toIdempotency } from "./idempotency";
import { procedure, router } from "./procedure";

export const ChatInput = z.object({
  idempotencyKey,
  model: z.string().min(1).max(200),
  messages: z.array(z.unknown()),
  max_tokens: z.number().optional(),
});

/** Returns the body of a chat and its idempotency, which are the same whether it is streamed or not. */
export function toChat({ idempotencyKey, max_tokens, ...body }: z.infer<typeof ChatInput>) {
  const limited = max_tokens === undefined ? body : { ...body, max_tokens };
  return { body: limited, idempotency: toIdempotency(idempotencyKey, limited) };
}

/** Describes an error in a stream in the form in which the console reads the errors of its calls. */
const describeError = (error: AppError) => ({
  message: error.message,
  data: { httpStatus: error.status, ...toDisplayedError(error) },
});

/** Chats of the playground as streams; apart from the other procedures, whose results are JSON. */
export const chatStreams = router({
  chat: procedure("develop")
    .input(ChatInput)
    .mutation(async ({ ctx, input, signal }) => {
      const { body, idempotency } = toChat(input);
      const disconnected = signal ?? new AbortController().signal;
      const dialect = createOpenAiDialect(describeError);
      return streamChat(ctx, body, idempotency, { disconnected, onGeneration: () => undefined, dialect });
    }),
});
