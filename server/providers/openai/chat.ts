import { setImmediate as startNextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import { MAX_NAME_BYTES } from "../../lib/json/scanner";
import { memoizePer } from "../../lib/memoize-per";
import { runAtOnce, runInSlices } from "../../lib/slices";
import { parseJson } from "../http/call-api";
import { getConnection } from "../http/connection";
import { readResponseBody } from "../http/read-response-body";
import { mayHoldSecret, redactProvider } from "../http/redact";
import type { ChatCall, ChatState, Completion, FailedChat } from "../chat-call";
import { describeConnectionError, describeRejection } from "./describe-failure";
import { readCompletion } from "./read-completion";
import { readResponse } from "./responses";

/** Completions can contain images, so the size limit is generous. */
const BOUNDS = { maxBytes: 20 * 1024 * 1024, maxDepth: 64, maxValues: 50_000, maxNameBytes: MAX_NAME_BYTES };
/** Responses above this size are parsed and processed outside the event loop. */
const LARGE_BYTES = 256 * 1024;

/**
 * Completes a chat at any OpenAI-compatible server. Does not follow redirects. The result contains nothing of the
 * provider's address, key or headers.
 */
export async function completeChat(call: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const { provider } = call.route;
  try {
    const response = await sendChat(call, signal);
    if (response.statusCode !== 200) return await describeRejection(response, provider);
    return await readWhole(response, call, call.dialect === "responses" ? readResponse : readCompletion);
  } catch (error) {
    signal.throwIfAborted();
    return describeConnectionError(error);
  }
}

/** Reads the whole answer of a provider. `read` returns null for an answer that cannot be used. Throws when it breaks off. */
export async function readWhole(
  response: Dispatcher.ResponseData,
  { json, reserve, route: { provider } }: ChatCall,
  read: (value: unknown) => Completion | null,
): Promise<ChatState> {
  const bytes = await readResponseBody(response, BOUNDS, reserve);
  const isLarge = bytes.byteLength > LARGE_BYTES;
  const search = mayHoldSecret(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), provider);
  const mustRedact = isLarge ? await runInSlices(search) : runAtOnce(search);
  const value = await parseJson(json, bytes);
  // A large one has just been copied from another thread, which may take as long as to read it.
  if (isLarge) await startNextTurn();
  const redacted = mustRedact ? redactProvider(value, provider) : value;
  if (isLarge) await startNextTurn();
  const completion = read(redacted);
  return completion ? { state: "succeeded", completion, upstreamStatus: 200, isLarge } : unusableResponse;
}

/** Sends a chat upstream and returns its response with any status. */
export async function sendChat(
  call: ChatCall,
  signal: AbortSignal,
  { accept = "application/json", bodyTimeout }: { accept?: string; bodyTimeout?: number } = {},
): Promise<Dispatcher.ResponseData> {
  const { id, dialect, body, text, route, isLarge, json, traceHeaders } = call;
  const { pool, path } = getConnection(route.provider);
  return pool.request({
    method: "POST",
    path: `${path}/${dialect === "responses" ? "responses" : "chat/completions"}`,
    headers: { ...traceHeaders, ...getHeaders(route.provider), accept, "idempotency-key": id },
    body: text ? text() : await json.stringify(body, { isLarge }),
    bodyTimeout,
    signal,
  });
}

/** Returns the headers of a request with a JSON body. */
export const getHeaders = memoizePer(({ apiKey }: ProviderSettings): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "generation-hub",
  ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
}));

/** The failure of a response that cannot be read. */
export const unusableResponse: FailedChat = {
  state: "failed",
  error: { code: "invalid_output", message: "The provider's response could not be used.", retryable: true },
  started: true,
  upstreamStatus: 200,
};
