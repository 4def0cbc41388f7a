import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import type { ChatCall, ChatState } from "../provider";
import { connect, MOST_BYTES, TOO_LARGE } from "./connect";
import { explainFault } from "./explain-fault";
import { explainRefusal } from "./explain-refusal";
import { readCompletion } from "./read-completion";
import { redactKey } from "./redact-key";

/**
 * Completes a chat at any server that speaks OpenAI's language. Redirects are not followed. Nothing of the provider's
 * address, key or headers gets into what it answers.
 */
export async function chat({ id, body, route }: ChatCall, signal: AbortSignal): Promise<ChatState> {
  try {
    const { statusCode, headers, body: answer } = await post(route.provider, id, body, signal);
    const text = await readText(answer, headers["content-length"]);
    return statusCode === 200
      ? accept(redactKey(text, route.provider))
      : explainRefusal({ status: statusCode, text, retryAfter: headers["retry-after"] }, route.provider);
  } catch (fault) {
    signal.throwIfAborted();
    return explainFault(fault);
  }
}

function post(
  provider: ProviderSettings,
  id: string,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { pool, path, headers } = connect(provider);
  return pool.request({
    method: "POST",
    path: `${path}/chat/completions`,
    headers: { ...headers, "idempotency-key": id },
    body: JSON.stringify(body),
    signal,
  });
}

/** undici counts what comes; what only says that it is too large need not come. */
function readText(body: Dispatcher.ResponseData["body"], length: unknown): Promise<string> {
  if (!(Number(length) > MOST_BYTES)) return body.text();
  body.on("error", () => undefined).destroy();
  throw Object.assign(new Error("too large"), { code: TOO_LARGE });
}

function accept(text: string): ChatState {
  const completion = readCompletion(text);
  if (completion) return { state: "succeeded", completion, upstreamStatus: 200 };
  const error = {
    code: "invalid_output",
    message: "The provider's answer could not be used.",
    retryable: true,
  } as const;
  return { state: "failed", error, started: true, upstreamStatus: 200 };
}
