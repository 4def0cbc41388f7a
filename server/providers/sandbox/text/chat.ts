import { setTimeout as sleep } from "node:timers/promises";
import { hashCanonicalJson } from "../../../lib/canonical";
import type { ChatCall, ChatState } from "../../chat-call";
import type { Failure } from "../../failure";
import { parseScript } from "../script";
import { getLastUserText, parseChat } from "./read-chat";
import { countPrompt, truncateText } from "./tokens";
import { composeReply } from "./reply";

const CONTEXT_LENGTH = 128_000;

/** Completes a chat deterministically, with real token counts. Its magic words are those of `sandbox-image`. */
export async function answerChat({ body }: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const request = parseChat(body);
  const { fails, seconds } = parseScript(getLastUserText(request));
  if (fails === "always")
    return failed({ code: "provider_error", message: "The prompt says [fail].", retryable: false });
  if (fails === "first" && failsThisTime(body)) {
    return failed({ code: "provider_error", message: "The prompt says [flaky].", retryable: true });
  }
  const prompt = await countPrompt(request, CONTEXT_LENGTH);
  if (prompt === null) return promptTooLong;
  await pause(seconds, signal);
  const { message, finishReason, countedText: words } = await composeReply(request);
  const { text, tokens, whole } = await truncateText(words, request.maxTokens);
  const choice = {
    index: 0,
    // Truncated arguments would be invalid JSON, so a tool call is returned whole or not at all.
    message: message.tool_calls && whole ? message : { role: "assistant", content: text },
    finish_reason: whole ? finishReason : "length",
  };
  const usage = { prompt_tokens: prompt, completion_tokens: tokens, total_tokens: prompt + tokens };
  return { state: "succeeded", completion: { choices: [choice], usage } };
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds === 0) return;
  // Longer than any chat may take, and the longest delay of a timer.
  await sleep(Math.min(seconds * 1000, 2 ** 31 - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
}

const failed = (error: Failure): ChatState => ({ state: "failed", error, started: true, cause: "job" });
const promptTooLong: ChatState = {
  ...(failed({
    code: "provider_error",
    message: `The prompt has more than ${CONTEXT_LENGTH} tokens.`,
    retryable: false,
  }) as Extract<ChatState, { state: "failed" }>),
  upstreamStatus: 400,
};

const MAX_BODIES = 1_000;
const failedOnce = new Set<string>();

/** Returns true for the first request with a body, false for the second, and so on in turn. */
function failsThisTime(body: Record<string, unknown>): boolean {
  const fingerprint = hashCanonicalJson(body).toString("base64");
  if (failedOnce.delete(fingerprint)) return false;
  failedOnce.add(fingerprint);
  for (const oldest of failedOnce) {
    if (failedOnce.size <= MAX_BODIES) break;
    failedOnce.delete(oldest);
  }
  return true;
}
