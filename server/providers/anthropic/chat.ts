import type { Dispatcher } from "undici";
import { type ChatCall, type ChatState, type ChatStreamState, completionToChunk } from "../chat-call";
import { runAtOnce, runInSlices } from "../../lib/slices";
import { getConnection } from "../http/connection";
import { describeChatRejection, describeConnectionError } from "../http/describe-chat-failure";
import { openStream, type StreamFormat } from "../http/read-chat-stream";
import { readWhole } from "../http/read-completion";
import { basePathOf, headersOf } from "./endpoint";
import { readMessage } from "./read-message";
import { createEventReader } from "./read-stream";
import { toMessages, Untranslatable } from "./to-messages";

/**
 * Completes a chat by Anthropic's Messages. A call in that dialect is sent as it is, with the client's headers. The result
 * contains nothing of the provider's address, key or headers.
 */
export async function completeChat(call: ChatCall, signal: AbortSignal): Promise<ChatState> {
  try {
    const response = await send(call, signal);
    if (response.statusCode !== 200) return await describeChatRejection(response, call.route.provider);
    return await readWhole(response, call, (value) => readMessage(value, isNative(call)));
  } catch (error) {
    signal.throwIfAborted();
    return describeFailure(error);
  }
}

/** Streams a chat by Anthropic's Messages. A server that ignores `stream` and sends a whole message yields it as one chunk. */
export async function streamChat(call: ChatCall, signal: AbortSignal): Promise<ChatStreamState> {
  try {
    const response = await send(call, signal, { accept: "text/event-stream", bodyTimeout: 0 });
    if (response.statusCode !== 200) return await describeChatRejection(response, call.route.provider);
    return await openStream(response, createFormat(isNative(call)), call, signal);
  } catch (error) {
    signal.throwIfAborted();
    return describeFailure(error);
  }
}

const isNative = ({ dialect }: ChatCall): boolean => dialect === "messages";

/** Returns how one stream of Messages is read, with its events for a native call. */
const createFormat = (keepsEvents: boolean): StreamFormat => ({
  // An event repeats a whole block, such as a result of the provider's own search.
  bounds: { maxEventBytes: 4 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxEvents: 500_000 },
  hasEnd: true,
  readChunk: createEventReader(keepsEvents),
  readWhole(value) {
    const completion = readMessage(value, keepsEvents);
    return completion && completionToChunk(completion);
  },
  findError(event) {
    const { type, error } = (event ?? {}) as { type?: unknown; error?: unknown };
    return type === "error" ? (error ?? { message: "" }) : undefined;
  },
});

interface SendOptions {
  accept?: string;
  bodyTimeout?: number;
}

async function send(
  call: ChatCall,
  signal: AbortSignal,
  { accept = "application/json", bodyTimeout }: SendOptions = {},
): Promise<Dispatcher.ResponseData> {
  const { body, text, headers, route, isLarge, json, traceHeaders } = call;
  const request = isNative(call) ? body : await (isLarge ? runInSlices(toMessages(body)) : runAtOnce(toMessages(body)));
  const payload = isNative(call) && text ? text() : await json.stringify(request, { isLarge });
  return getConnection(route.provider).pool.request({
    method: "POST",
    path: `${basePathOf(route.provider)}/messages`,
    headers: { ...traceHeaders, ...headersOf(route.provider), ...(isNative(call) && headers), accept },
    body: payload,
    bodyTimeout,
    signal,
  });
}

/** Returns the failure of a call without a response. Nothing was sent of a chat that cannot be translated. */
function describeFailure(error: unknown): Extract<ChatState, { state: "failed" }> {
  if (!(error instanceof Untranslatable)) return describeConnectionError(error);
  return {
    state: "failed",
    error: { code: "provider_refused", message: error.message, retryable: false },
    cause: "job",
    started: false,
    upstreamStatus: 400,
  };
}
