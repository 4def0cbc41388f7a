import { runSlicedBodyWork } from "../../context";
import { completeChat, streamChat } from "../../domain/chat";
import { withMessagesLabels } from "../../domain/labels";
import { formatWholeMessage, type MessagesBody, prepareMessages } from "../../domain/messages";
import type { AppError } from "../../errors";
import { completeChatOperation } from "../chat";
import { describeChat, dialectHeaders } from "../openai/shared";
import { replayOrThrow } from "../openai/replay";
import { nameRunning, scopeKey, setGenerationId } from "../openai/route";
import { messagesError } from "../middleware/problem";
import { hashMembersInSlices } from "../../lib/canonical";
import { defineOperation, type HandlerArgs, type ImmediateResult } from "../operation";
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
  // After a broken stream Claude Code repeats its request without streaming, and with another limit.
  identifyRepeat: (sent, pace) =>
    runSlicedBodyWork(pace, () => hashMembersInSlices(PATH, sent, ["stream", "max_tokens"])),
  responses: {
    200: {
      description: "The message",
      schema: Message,
      headers: dialectHeaders,
    },
  },
  problems: completeChatOperation.problems,
  handler(args) {
    const scoped = { ...(args as Args), idempotency: scopeKey(args.idempotency, PATH) };
    const formatStream = scoped.body.stream === true ? formatWholeMessage : null;
    const message = create(scoped).catch((error: unknown) => replayOrThrow(error, { ...scoped, formatStream }));
    return nameRunning(args.request, message);
  },
});

type Args = HandlerArgs<"key", undefined, MessagesBody>;

async function create({ ctx, body, idempotency, client, request }: Args): Promise<ImmediateResult> {
  const describeError = (error: AppError) => messagesError(error, ctx.requestId);
  const prepared = await prepareMessages(ctx, body, { headers: request.headers, describeError });
  const { dialect, body: chat } = prepared;
  // The text sent is that of the message, not of the chat; the dialect has it.
  const own = { ...withMessagesLabels(ctx, body), sent: null };
  const onGeneration = (id: string) => setGenerationId(request, id);
  const run = async () => {
    if (body.stream !== true) {
      const { answer, ...rest } = await completeChat(own, chat, idempotency, client, onGeneration, dialect);
      return { content: { text: answer }, ...rest };
    }
    const { signal: disconnected } = request;
    const caller = { disconnected, onGeneration, request: client, dialect };
    const { body: events, ...rest } = await streamChat(own, chat, idempotency, caller);
    return { content: { content: events }, ...rest };
  };
  const { content, replayed, maxTokens } = await run().catch(async (error: unknown) => {
    throw await prepared.translateError(error);
  });
  const headers = describeChat({
    replayed,
    maxTokens,
    isStreamed: body.stream === true,
    dropped: prepared.dropped(),
  });
  return { ...content, headers };
}
