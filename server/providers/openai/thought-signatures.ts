import type { ProviderSettings } from "../../catalogue/model";
import { isObject } from "../../lib/is-object";
import { memoizePer } from "../../lib/memoize-per";
import { type ChatCall, readThoughtSignature, THOUGHT_SIGNATURE, toExtraContent } from "../chat-call";

type Json = Record<string, unknown>;

/** The value that Google documents for calls that another model has made. */
const NO_SIGNATURE = "skip_thought_signature_validator";

/**
 * Returns the body of a chat for a route at Google's endpoint with the signatures of its calls, which Gemini 3 rejects
 * without them; for other routes the body as it is, because other servers may reject the member. The body's text is
 * null if it was changed.
 */
export function withThoughtSignatures({ body, text, route }: ChatCall): Pick<ChatCall, "body" | "text"> {
  const { messages } = body;
  if (!Array.isArray(messages) || !isGoogle(route.provider)) return { body, text };
  let isChanged = false;
  const signed = messages.map((message: unknown) => {
    const calls = isObject(message) && Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
    const tool_calls = signCalls(calls);
    if (tool_calls === calls) return message;
    isChanged = true;
    return { ...(message as Json), tool_calls };
  });
  return isChanged ? { body: { ...body, messages: signed }, text: null } : { body, text };
}

/** Returns whether a provider is Google's endpoint with OpenAI's API, or a proxy that has its path. */
const isGoogle = memoizePer(({ baseUrl }: ProviderSettings): boolean => {
  const { hostname, pathname } = new URL(baseUrl!);
  return hostname === "generativelanguage.googleapis.com" || /\/v1(?:alpha|beta)\/openai\/?$/.test(pathname);
});

/** Returns the calls of a message with their signatures. Gemini signs only the first of parallel calls. */
function signCalls(calls: Json[]): Json[] {
  const isRestored = calls.some((call) => Object.hasOwn(call, THOUGHT_SIGNATURE));
  const signed = isRestored ? calls.map(restoreSignature) : calls;
  const isSigned = signed.some((call) => readThoughtSignature(call) !== null);
  if (calls.length === 0 || isSigned) return signed;
  return [addSignature(signed[0]!, NO_SIGNATURE), ...signed.slice(1)];
}

const restoreSignature = (call: Json & { [THOUGHT_SIGNATURE]?: string }): Json =>
  call[THOUGHT_SIGNATURE] === undefined ? call : addSignature(call, call[THOUGHT_SIGNATURE]);

const addSignature = (call: Json, signature: string): Json => ({ ...call, extra_content: toExtraContent(signature) });
