import type { Dispatcher } from "undici";
import type { ChatCall, ChatState } from "../provider";
import { getConnection } from "./connect";
import { describeConnectionError } from "./describe-connection-error";
import { describeRejection } from "./describe-rejection";
import { readResponseBody } from "./read-response-body";
import { readCompletion } from "./read-completion";
import { redactKey } from "./redact-key";

/** An answer may have pictures in it. */
const BOUNDS = { maxBytes: 20 * 1024 * 1024, maxDepth: 64, maxValues: 50_000 };
/** Bytes from which on every look at the whole answer is work that others would wait for. */
const LARGE_BYTES = 256 * 1024;

/**
 * Completes a chat at any server that speaks OpenAI's language. Redirects are not followed. Nothing of the provider's
 * address, key or headers gets into what it answers.
 */
export async function completeChat(call: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const { provider } = call.route;
  try {
    const answer = await post(call, signal);
    if (answer.statusCode !== 200) return await describeRejection(answer, provider);
    const bytes = await readResponseBody(answer, BOUNDS, call.reserve);
    const isLarge = bytes.byteLength > LARGE_BYTES;
    const completion = readCompletion(redactKey(await parse(call, bytes), provider.apiKey));
    return completion ? { state: "succeeded", completion, upstreamStatus: 200, isLarge } : unusable;
  } catch (fault) {
    signal.throwIfAborted();
    return describeConnectionError(fault);
  }
}

/** Returns what the answer says, or null for what is not JSON. */
const parse = async ({ json }: ChatCall, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> => {
  try {
    return await json.parse(bytes, { fatal: false });
  } catch {
    return null;
  }
};

async function post(call: ChatCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { id, body, route, isLarge, json } = call;
  const { pool, path, headers } = getConnection(route.provider);
  return pool.request({
    method: "POST",
    path: `${path}/chat/completions`,
    headers: { ...headers, "idempotency-key": id },
    body: await json.stringify(body, { isLarge }),
    signal,
  });
}

const unusable: ChatState = {
  state: "failed",
  error: { code: "invalid_output", message: "The provider's answer could not be used.", retryable: true },
  started: true,
  upstreamStatus: 200,
};
