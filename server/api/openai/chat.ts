import { type ChatBody, completeChat, createOpenAiDialect, streamChat } from "../../domain/chat";
import { isAppError } from "../../errors";
import { completeChatOperation } from "../chat";
import { openAiError } from "../middleware/problem";
import type { HandlerArgs, HandlerResult, Operation } from "../operation";
import { ChatCompletion } from "../schemas/chat";
import { OpenAiChatRequest } from "../schemas/openai";
import { setGenerationId } from "./route";
import { generationHeaders } from "./shared";

/** The specified chat with OpenAI's errors, and with streaming. It keeps the name, so both share idempotency and joins. */
export const chatOperation: Operation = {
  ...completeChatOperation,
  path: "/v1/chat/completions",
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
      if (running !== undefined) setGenerationId(args.request, running);
      throw error;
    }),
};

async function complete({
  ctx,
  body: sent,
  idempotency,
  client,
  request,
}: HandlerArgs<"key", undefined, ChatBody>): Promise<HandlerResult> {
  const body = withoutDefaults(sent);
  const onGeneration = (id: string) => setGenerationId(request, id);
  const dialect = createOpenAiDialect(openAiError, request.headers.get("x-session-affinity"));
  if (body.stream === true) {
    const { signal: disconnected } = request;
    const caller = { disconnected, onGeneration, request: client, dialect };
    const stream = await streamChat(ctx, body, idempotency, caller);
    return { content: stream.body, headers: { ...STREAM_HEADERS, ...replayedHeader(stream.replayed) } };
  }
  const { answer, replayed } = await completeChat(ctx, body, idempotency, client, onGeneration, dialect);
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
