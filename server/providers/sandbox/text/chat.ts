import { setTimeout as sleep } from "node:timers/promises";
import type { ChatCall, ChatState, Failure } from "../../provider";
import { parseScript } from "../script";
import { failsThisTime } from "./flaky";
import { lastUserText, readChat } from "./read-chat";
import { countPrompt } from "./count-prompt";
import { truncateText } from "./tokens";
import { composeReply } from "./reply";

const CONTEXT = 128_000;

/** Answers a chat by a fixed rule, with true token counts. Its magic words are those of `sandbox-image`. */
export async function answerChat({ body }: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const asked = readChat(body);
  const { fails, seconds } = parseScript(lastUserText(asked));
  if (fails === "always")
    return failed({ code: "provider_error", message: "The prompt says [fail].", retryable: false });
  if (fails === "first" && failsThisTime(body)) {
    return failed({ code: "provider_error", message: "The prompt says [flaky].", retryable: true });
  }
  const prompt = await countPrompt(asked, CONTEXT);
  if (prompt === null) return tooLong;
  await pause(seconds, signal);
  const { message, finishReason, countedText: words } = await composeReply(asked);
  const { text, tokens, whole } = await truncateText(words, asked.maxTokens);
  const choice = {
    index: 0,
    // Arguments that were cut would be no JSON; a call is made whole or not at all.
    message: message.tool_calls && whole ? message : { role: "assistant", content: text },
    finish_reason: whole ? finishReason : "length",
  };
  const usage = { prompt_tokens: prompt, completion_tokens: tokens, total_tokens: prompt + tokens };
  return { state: "succeeded", completion: { choices: [choice], usage } };
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  if (seconds === 0) return;
  // The longest that a timer takes is for ever enough.
  await sleep(Math.min(seconds * 1000, 2 ** 31 - 1), undefined, { signal }).catch(() => signal.throwIfAborted());
}

const failed = (error: Failure): ChatState => ({ state: "failed", error, started: true });
const tooLong: ChatState = {
  ...(failed({
    code: "provider_error",
    message: `The prompt has more than ${CONTEXT} tokens.`,
    retryable: false,
  }) as Extract<ChatState, { state: "failed" }>),
  upstreamStatus: 400,
};
