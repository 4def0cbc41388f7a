import { completeChat, streamChat } from "../../domain/chat";
import { type MessagesBody, prepareMessages } from "../../domain/messages";
import { type AppError, isAppError } from "../../errors";
import { hashMembersInSlices } from "../../lib/canonical";
import { generationHeaders } from "../openai/shared";
import { scopeKey, setGenerationId } from "../openai/route";
import { messagesError } from "../middleware/problem";
import { hashMembersInSlices } from "../../lib/canonical";
import { defineOperation, type HandlerArgs, type HandlerResult } from "../operation";
import { Message, MessagesRequest, MessagesRequestBody } from "../schemas/messages";

const PATH = "/v1/messages";

export const createMessage = defineOperation({
  name: "createMessage",
  method: "post",
  path: PATH,
  tag: "Chat",
  summary: "Create a message",
  description:
    "Accepts requests in the format of Anthropic's Messages, streamed or not. A route of kind `anthropic` gets them as they " +
    "are; for all others they are translated to a chat. An output limit that the balance does not cover is lowered.",
  auth: "key",
  cost: "write",
  body: MessagesRequestBody,
  publishedBody: MessagesRequest,
  bodyBounds: { maxBytes: 32 * 1024 * 1024, maxValues: 50_000 },
  forwardsBody: true,
  envelope: "messages",
  idempotent: true,
  joinsRetries: true,
  // After a broken stream Claude Code repeats its request not streamed, with another limit.
  identifyRepeat: (sent) => hashMembersInSlices(PATH, sent, ["stream", "max_tokens"]),
  responses: {
    200: {
      description: "The message",
      schema: Message,
      headers: {
        ...generationHeaders,
        "X-Hub-Dropped":
          "What the model does not support and did not get: names of members and types, separated by commas",
        "X-Hub-Max-Tokens": "The output limit, if the balance does not cover that of the request",
      },
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
  handler: (args) =>
    create(args as Args).catch((error: unknown) => {
      // The message with the same idempotency key, which is still running.
      const running = isAppError(error) ? error.extras.generation_id : undefined;
      if (running !== undefined) setGenerationId(args.request, running);
      throw error;
    }),
});

type Args = HandlerArgs<"key", undefined, MessagesBody>;

async function create({ hub, ctx, body, idempotency, client, request }: Args): Promise<HandlerResult> {
  const memory = hub.bodyBudget.open(ctx.account.id);
  const describeError = (error: AppError) => messagesError(error, ctx.requestId);
  try {
    const prepared = await prepareMessages(ctx, body, { headers: request.headers, memory, describeError });
    const { dialect, body: chat } = prepared;
    // The text is that of the client's own object, which the dialect has.
    const own = { ...ctx, sent: null };
    const scoped = scopeKey(idempotency, PATH);
    const onGeneration = (id: string) => setGenerationId(request, id);
    const run = async () => {
      if (body.stream !== true) {
        const { answer, ...rest } = await completeChat(own, chat, scoped, client, onGeneration, dialect);
        return { content: { text: answer }, ...rest };
      }
      const { signal: disconnected } = request;
      const caller = { disconnected, onGeneration, request: client, dialect };
      const { body: events, ...rest } = await streamChat(own, chat, scoped, caller);
      return { content: { content: events }, ...rest };
    };
    const { content, replayed, maxTokens } = await run().catch(async (error: unknown) => {
      throw await prepared.translateError(error);
    });
    const headers = {
      ...(body.stream === true && STREAM_HEADERS),
      ...(replayed && { "Idempotent-Replayed": "true" }),
      ...toHeader("X-Hub-Dropped", prepared.dropped()),
      ...toHeader("X-Hub-Max-Tokens", maxTokens),
    };
    return { ...content, headers };
  } finally {
    memory.release();
  }
}

const toHeader = (name: string, value: string | number | null): Record<string, string> =>
  value === null ? {} : { [name]: String(value) };

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Stops proxies such as nginx from buffering events.
  "X-Accel-Buffering": "no",
};
