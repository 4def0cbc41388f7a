import type { Hono } from "hono";
import type { Hub } from "../../context";
import { type ChatBody, completeChat, streamChat } from "../../domain/chat";
import { isAppError } from "../../errors";
import { completeChatOperation } from "../chat";
import { openAiError } from "../middleware/problem";
import type { HandlerArgs, HandlerResult, Operation } from "../operation";
import type { Host } from "../request-context";
import { ChatCompletion } from "../schemas/chat";
import { OpenAiChatRequest } from "../schemas/openai";
import { createOperationHandler } from "../serve";
import { generationHeaders } from "./shared";

export const CHAT_PATH = "/v1/chat/completions";

/** The ids of the generations that requests have made, for a header of their responses. */
const generationIds = new WeakMap<Request, string>();

/** The specified chat with OpenAI's errors, and with streaming. It keeps the name, so both share idempotency and joins. */
export const chatOperation: Operation = {
  ...completeChatOperation,
  path: CHAT_PATH,
  envelope: "openai",
  description:
    "The chat of `/api/v1/hub/chat/completions`, with OpenAI's errors. With `stream: true` the response is server-sent " +
    "events, `text/event-stream`: chunks as they come, then usage with its `cost`, then `[DONE]`.",
  publishedBody: OpenAiChatRequest,
  responses: { 200: { description: "The completion", schema: ChatCompletion, headers: generationHeaders } },
  handler: (args) =>
    complete(args as HandlerArgs<"key", undefined, ChatBody>).catch((error: unknown) => {
      // The chat with the same idempotency key, which is still running.
      const running = isAppError(error) ? error.extras.generation_id : undefined;
      if (running !== undefined) generationIds.set(args.request, running);
      throw error;
    }),
};

/** Registers a chat or what is translated onto one; its responses name their generation. */
export function registerChat(app: Hono<Host>, hub: Hub, operation: Operation): void {
  const handle = createOperationHandler(hub, operation);
  app.post(operation.path, async (c) => {
    const response = await handle(c);
    const id = generationIds.get(c.req.raw);
    if (id !== undefined) response.headers.set("X-Generation-Id", id);
    return response;
  });
}

async function complete({
  ctx,
  body: sent,
  idempotency,
  client,
  request,
}: HandlerArgs<"key", undefined, ChatBody>): Promise<HandlerResult> {
  const body = withoutDefaults(sent);
  const onGeneration = (id: string) => void generationIds.set(request, id);
  if (body.stream === true) {
    const { signal: disconnected } = request;
    const caller = { disconnected, onGeneration, request: client, describeError: openAiError };
    const stream = await streamChat(ctx, body, idempotency, caller);
    return { content: stream.body, headers: { ...STREAM_HEADERS, ...replayedHeader(stream.replayed) } };
  }
  const { answer, replayed } = await completeChat(ctx, body, idempotency, client, onGeneration);
  return { text: answer, headers: replayedHeader(replayed) };
}

const replayedHeader = (replayed: boolean): Record<string, string> =>
  replayed ? { "Idempotent-Replayed": "true" } : {};

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Stops proxies such as nginx from buffering events.
  "X-Accel-Buffering": "no",
};

/** Removes members that many clients send with their defaults: one choice, and no stream. */
function withoutDefaults({ n, stream, ...body }: ChatBody): ChatBody {
  return {
    ...body,
    ...(n !== undefined && n !== 1 && n !== null && { n }),
    ...(stream !== undefined && stream !== null && { stream }),
  };
}
