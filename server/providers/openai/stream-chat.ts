import { isObject } from "../../lib/is-object";
import { type ChatCall, type ChatChunk, type ChatStreamState, completionToChunk, readStopSequence } from "../chat-call";
import { describeChatRejection, describeConnectionError } from "../http/describe-chat-failure";
import { openStream, type StreamFormat } from "../http/read-chat-stream";
import { sendChat } from "./chat";
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
    if (response.statusCode !== 200) return await describeChatRejection(response, provider);
    return await openStream(response, call.dialect === "responses" ? responses : chats, call, signal);
  } catch (error) {
    signal.throwIfAborted();
    return describeConnectionError(error);
  }
}

const chats: StreamFormat = {
  bounds: EVENT_BOUNDS,
  hasEnd: false,
  readChunk,
  readWhole(value) {
    const completion = readCompletion(value);
    return completion && completionToChunk(completion);
  },
  findError: (event) => ((event ?? {}) as { error?: unknown }).error,
};
const responses: StreamFormat = {
  bounds: RESPONSE_BOUNDS,
  hasEnd: true,
  readChunk: readResponseEvent,
  readWhole: readWholeResponse,
  findError: readResponseFailure,
};

/**
 * Returns an event of a streamed completion as a chunk that OpenAI clients can read; null for anything else. Servers send
 * events without choices as well, such as usage and the results of filters.
 */
function readChunk(event: unknown): ChatChunk | null {
  if (!isObject(event)) return null;
  const { choices = [] } = event;
  if (!Array.isArray(choices)) return null;
  const read = choices.map(readChoice);
  return read.every((choice) => choice !== null) ? { ...event, choices: read } : null;
}

function readChoice(choice: unknown, position: number): ChatChunk["choices"][number] | null {
  if (!isObject(choice)) return null;
  const { delta = {}, index, finish_reason } = choice;
  if (delta !== null && !isObject(delta)) return null;
  return {
    ...choice,
    ...readStopSequence(choice),
    index: Number.isSafeInteger(index) ? Number(index) : position,
    delta: delta ?? {},
    finish_reason: typeof finish_reason === "string" ? finish_reason : null,
  };
}
