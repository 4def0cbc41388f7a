import { type ChatBody, completeChat, streamChat } from "../../domain/chat";
import { createOpenAiDialect } from "../../domain/dialects";
import { labelChat } from "../../domain/labels";
import { completeChatOperation } from "../chat";
import { openAiError } from "../middleware/problem";
import type { HandlerArgs, ImmediateResult, Operation } from "../operation";
import { ChatCompletion } from "../schemas/chat";
import { OpenAiChatRequest } from "../schemas/openai";
import { nameRunning, setGenerationId } from "./route";
import { chatHeaders, describeChat } from "./shared";

/**
 * The specified chat with OpenAI's errors, and with streaming. It keeps the name, so that idempotency keys and retries work
 * across both paths.
 */
export const chatOperation: Operation = {
  ...completeChatOperation,
  path: "/v1/chat/completions",
  envelope: "openai",
  description:
    "The chat of `/api/v1/hub/chat/completions`, with OpenAI's errors. With `stream: true` the response is server-sent " +
    "events, `text/event-stream`: chunks as they come, then usage with its `cost`, then `[DONE]`.",
  publishedBody: OpenAiChatRequest,
  responses: { 200: { description: "The completion", schema: ChatCompletion, headers: chatHeaders } },
  handler: (args) => nameRunning(args.request, complete(args as HandlerArgs<"key", undefined, ChatBody>)),
};

async function complete({
  ctx: caller,
  body: sent,
  idempotency,
  client,
  request,
}: HandlerArgs<"key", undefined, ChatBody>): Promise<ImmediateResult> {
  const { ctx, body } = labelChat(caller, withoutDefaults(sent));
  const onGeneration = (id: string) => setGenerationId(request, id);
  const dialect = createOpenAiDialect(openAiError, request.headers.get("x-session-affinity"));
  if (body.stream === true) {
    const { signal: disconnected } = request;
    const caller = { disconnected, onGeneration, request: client, dialect };
    const { body: content, ...stream } = await streamChat(ctx, body, idempotency, caller);
    return { content, headers: describeChat({ ...stream, isStreamed: true }) };
  }
  const { answer, ...result } = await completeChat(ctx, body, idempotency, client, onGeneration, dialect);
  return { text: answer, headers: describeChat(result) };
}

/** Removes members that many clients send with their defaults: one choice, and no stream. */
function withoutDefaults({ n, stream, ...body }: ChatBody): ChatBody {
  return {
    ...body,
    ...(n !== undefined && n !== 1 && n !== null && { n }),
    ...(stream !== undefined && stream !== null && { stream }),
  };
}
