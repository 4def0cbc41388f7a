import { completeChat } from "../domain/chat";
import { labelChat } from "../domain/labels";
import { chatHeaders, describeChat } from "./openai/shared";
import { defineOperation } from "./operation";
import { ChatBody, ChatCompletion, ChatRequest } from "./schemas/chat";

export const completeChatOperation = defineOperation({
  name: "completeChat",
  method: "post",
  path: "/api/v1/hub/chat/completions",
  tag: "Chat",
  summary: "Create a chat completion",
  description:
    "Accepts requests in the format of OpenAI's API and forwards unlisted members to the provider. Holds the maximum " +
    "cost of the chat and charges actual usage. Without `max_tokens`, output is limited by the available balance. The " +
    "chat continues if the client disconnects: repeat the request with the same `Idempotency-Key` within a day to get " +
    "the same completion. A provider failure costs nothing and frees the key. Without a key, an SDK retry " +
    "(`X-Stainless-Retry-Count` from 1 to 100) returns the result of the original request if its client disconnected " +
    "within the last ten minutes.",
  auth: "key",
  cost: "write",
  body: ChatBody,
  publishedBody: ChatRequest,
  bodyBounds: { maxBytes: 20 * 1024 * 1024, maxValues: 50_000 },
  forwardsBody: true,
  envelope: "chat",
  idempotent: true,
  joinsRetries: true,
  responses: {
    200: {
      description: "The completion",
      schema: ChatCompletion,
      headers: {
        "X-Hub-Generated": chatHeaders["X-Hub-Generated"],
        "Idempotent-Replayed":
          "`true` if this completion belongs to an earlier request with the same key, or to the request that this one retries",
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
  async handler({ ctx: caller, body: sent, idempotency, client }) {
    const { ctx, body } = labelChat(caller, sent);
    const { answer, replayed } = await completeChat(ctx, body, idempotency, client);
    return { text: answer, headers: describeChat({ replayed, maxTokens: null }) };
  },
});
