import { type ChatCall, type ChatStreamState, completionToChunk } from "../chat-call";
import { describeChatRejection, describeConnectionError } from "../http/describe-chat-failure";
import { isAnswered } from "../http/describe-rejection";
import { openStream, type StreamFormat } from "../http/read-chat-stream";
import { sendChat } from "./chat";
import { createChunkReader } from "./read-chunk";
import { readCompletion } from "./read-completion";
import { readResponseEvent, readResponseFailure, readWholeResponse, RESPONSE_BOUNDS } from "./stream-responses";

const EVENT_BOUNDS = { maxEventBytes: 256 * 1024, maxBytes: 64 * 1024 * 1024, maxEvents: 500_000 };

/**
 * Streams a chat from any OpenAI-compatible server. A server that ignores `stream` and sends a whole completion yields it
 * as one chunk. The chunks contain nothing of the provider's address, key or headers.
 */
export async function streamChat(call: ChatCall, signal: AbortSignal): Promise<ChatStreamState> {
  const { provider } = call.route;
  try {
    // A model may think for minutes between two chunks; the signal limits the whole request.
    const response = await sendChat(call, signal, { accept: "text/event-stream", bodyTimeout: 0 });
    if (!isAnswered(response.statusCode)) return await describeChatRejection(response, provider);
    const format = call.dialect === "responses" ? responses : createChatFormat();
    return await openStream(response, format, call, signal);
  } catch (error) {
    signal.throwIfAborted();
    return describeConnectionError(error);
  }
}

const createChatFormat = (): StreamFormat => ({
  bounds: EVENT_BOUNDS,
  hasEnd: false,
  readChunk: createChunkReader(),
  readWhole(value) {
    const completion = readCompletion(value);
    return completion && completionToChunk(completion);
  },
  findError: (event) => ((event ?? {}) as { error?: unknown }).error,
});
const responses: StreamFormat = {
  bounds: RESPONSE_BOUNDS,
  hasEnd: true,
  readChunk: readResponseEvent,
  readWhole: readWholeResponse,
  findError: readResponseFailure,
};
