import type { Dispatcher } from "undici";
import type { ChatCall, ChatState } from "../provider";
import { connect } from "./connect";
import { explainFault } from "./explain-fault";
import { explainRefusal } from "./explain-refusal";
import { readAnswer } from "./read-answer";
import { readCompletion } from "./read-completion";
import { redactKey } from "./redact-key";

/** An answer may have pictures in it. */
const BOUNDS = { maxBytes: 32 * 1024 * 1024, maxDepth: 64, maxValues: 50_000 };
/** Characters from which on parsing is work that others would wait for. */
const LARGE_LENGTH = 1024 * 1024;

/**
 * Completes a chat at any server that speaks OpenAI's language. Redirects are not followed. Nothing of the provider's
 * address, key or headers gets into what it answers.
 */
export async function chat(call: ChatCall, signal: AbortSignal): Promise<ChatState> {
  try {
    const { provider } = call.route;
    const answer = await post(call, signal);
    if (answer.statusCode !== 200) return await explainRefusal(answer, provider);
    const text = await readAnswer(answer, BOUNDS, call.reserve);
    const isLarge = text.length > LARGE_LENGTH;
    const read = () => accept(redactKey(text, provider), isLarge);
    return isLarge ? await call.longWork(read) : read();
  } catch (fault) {
    signal.throwIfAborted();
    return explainFault(fault);
  }
}

async function post({ id, body, route, pace }: ChatCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { pool, path, headers } = connect(route.provider);
  const text = await pace(() => JSON.stringify(body));
  return pool.request({
    method: "POST",
    path: `${path}/chat/completions`,
    headers: { ...headers, "idempotency-key": id },
    body: await pace(() => Buffer.from(text)),
    signal,
  });
}

function accept(text: string, isLarge: boolean): ChatState {
  const completion = readCompletion(text);
  if (completion) return { state: "succeeded", completion, upstreamStatus: 200, isLarge };
  const error = {
    code: "invalid_output",
    message: "The provider's answer could not be used.",
    retryable: true,
  } as const;
  return { state: "failed", error, started: true, upstreamStatus: 200 };
}
