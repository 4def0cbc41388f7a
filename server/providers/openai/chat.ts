import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import { memoizePer } from "../../lib/memoize-per";
import { getConnection } from "../http/connection";
import { describeChatRejection, describeConnectionError } from "../http/describe-chat-failure";
import { isAnswered } from "../http/describe-rejection";
import { readWhole } from "../http/read-completion";
import type { ChatCall, ChatState } from "../chat-call";
import { readCompletion } from "./read-completion";
import { readResponse } from "./responses";
import { withSingleSystem } from "./single-system";
import { withThoughtSignatures } from "./thought-signatures";

/**
 * Completes a chat at any OpenAI-compatible server. Does not follow redirects. The result contains nothing of the
 * provider's address, key or headers.
 */
export async function completeChat(call: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const { provider } = call.route;
  try {
    const response = await sendChat(call, signal);
    if (!isAnswered(response.statusCode)) return await describeChatRejection(response, provider);
    return await readWhole(response, call, call.dialect === "responses" ? readResponse : readCompletion);
  } catch (error) {
    signal.throwIfAborted();
    return describeConnectionError(error);
  }
}

/** Sends a chat upstream and returns its response with any status. */
export async function sendChat(
  call: ChatCall,
  signal: AbortSignal,
  { accept = "application/json", bodyTimeout }: { accept?: string; bodyTimeout?: number } = {},
): Promise<Dispatcher.ResponseData> {
  const { id, dialect, route, isLarge, json, traceHeaders } = call;
  const { body, text } = withSingleSystem({ route, ...withThoughtSignatures(call) });
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
