import { completeChat } from "../domain/chat/complete-chat";
import { defineOperation } from "./operation";
import { ChatBody, ChatCompletion, ChatRequest } from "./schemas/chat";

export const completeChatOperation = defineOperation({
  name: "completeChat",
  method: "post",
  path: "/api/v1/hub/chat/completions",
  tag: "Chat",
  summary: "Complete a chat",
  description:
    "Takes what OpenAI's API takes; members that are not listed are forwarded to the provider. Holds the most that the " +
    "chat can cost and charges what was used. Without `max_tokens` the limit is what the available balance covers. The " +
    "chat goes on when its client hangs up: with an `Idempotency-Key` the same request is answered with the same " +
    "completion for a day. A failure of the provider costs nothing and frees the key. Without a key, a retry of an SDK " +
    "(`X-Stainless-Retry-Count` of 1 to 100) gets the result of the chat that it repeats if that one's client left " +
    "within ten minutes.",
  auth: "key",
  cost: "write",
  body: ChatBody,
  publishedBody: ChatRequest,
  bodyBounds: { maxBytes: 20 * 1024 * 1024, maxValues: 50_000 },
  envelope: "chat",
  idempotent: true,
  joinsRetries: true,
  responses: {
    200: {
      description: "The completion",
      schema: ChatCompletion,
      headers: {
        "Idempotent-Replayed":
          "`true` when an earlier request was answered with it: of this key, or the one that this repeats",
      },
      links: { getGeneration: "/id" },
    },
  },
  problems: [
    "insufficient_credits",
    "model_not_found",
    "file_expired",
    "idempotency_conflict",
    "generation_in_progress",
    "provider_error",
  ],
  async handler({ ctx, body, idempotency, client }) {
    const { answer, replayed } = await completeChat(ctx, body, idempotency, client);
    return { text: answer, headers: replayed ? { "Idempotent-Replayed": "true" } : undefined };
  },
});
