import { hashCanonicalJson } from "../../../lib/canonical";
import type { ChatCall, ChatChunk, ChatState, ChatStreamState, Completion, CountCall } from "../../chat-call";
import type { Failure } from "../../failure";
import { getScriptedFailure, parseScript, pause, type Script } from "../script";
import { type Chat, getLastUserText, parseChat } from "./read-chat";
import { countPrompt, truncateText } from "./tokens";
import { composeReply } from "./reply";

const CONTEXT_LENGTH = 128_000;

/** Completes a chat deterministically, with real token counts. Its magic words are those of `sandbox-image`. */
export async function answerChat({ body }: ChatCall, signal: AbortSignal): Promise<ChatState> {
  const { seconds, ...answer } = await composeAnswer(body);
  if (answer.state === "succeeded") await pause(seconds, signal);
  return answer;
}

/** Returns the tokens that a chat's usage has for its prompt; null above the context. */
export const countChat = ({ body }: CountCall): Promise<number | null> => countPrompt(parseChat(body), CONTEXT_LENGTH);

/** Streams the same completion word by word. The seconds of `[slow:N]` are spread over the words. */
export async function streamAnswer({ body }: ChatCall, signal: AbortSignal): Promise<ChatStreamState> {
  const { seconds, ...answer } = await composeAnswer(body);
  if (answer.state === "failed") return answer;
  signal.throwIfAborted();
  return { state: "streaming", chunks: streamCompletion(answer.completion, seconds, signal) };
}

async function* streamCompletion(
  { choices, usage }: Completion,
  seconds: number,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, void> {
  const { message, finish_reason } = choices[0]!;
  const toChunk = (delta: Record<string, unknown>, reason: string | null = null): ChatChunk => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const deltas = splitMessage(message);
  yield toChunk({ role: "assistant", content: "" });
  for (const delta of deltas) {
    await pause(seconds / deltas.length, signal);
    yield toChunk(delta);
  }
  yield toChunk({}, finish_reason);
  yield { choices: [], usage };
}

function splitMessage({ content, tool_calls }: Record<string, unknown>): Record<string, unknown>[] {
  if (!Array.isArray(tool_calls)) return splitWords(String(content)).map((text) => ({ content: text }));
  const [{ function: called, ...call }] = tool_calls as [{ function: { name: string; arguments: string } }];
  return [
    { tool_calls: [{ index: 0, ...call, function: { name: called.name, arguments: "" } }] },
    ...splitWords(called.arguments).map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
  ];
}

const splitWords = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

async function composeAnswer(body: Record<string, unknown>): Promise<ChatState & { seconds: number }> {
  const request = parseChat(body);
  const script = parseScript(getLastUserText(request));
  return { ...(await composeState(body, request, script)), seconds: script.seconds };
}

async function composeState(body: Record<string, unknown>, request: Chat, script: Script): Promise<ChatState> {
  const failure = getScriptedFailure(script, () => failsThisTime(body));
  if (failure) return failed(failure);
  const prompt = await countPrompt(request, CONTEXT_LENGTH);
  if (prompt === null) {
    const message = `The prompt has more than ${CONTEXT_LENGTH} tokens.`;
    return {
      ...failed({ code: "provider_error", message, retryable: false }),
      upstreamStatus: 400,
      isPromptTooLong: true,
    };
  }
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

const failed = (error: Failure): Extract<ChatState, { state: "failed" }> => ({
  state: "failed",
  error,
  started: true,
  cause: "job",
});

const MAX_BODIES = 1_000;
const failedOnce = new Set<string>();

/** Returns true for the first request with a body, false for the second, and so on alternately. */
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
