import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { measureJson } from "../../../lib/json/measure";
import { type Chat, getImages, getText, type Message } from "./read-chat";

/** Longer runs are counted in pieces, because the tokenizer takes quadratic time for a run of letters. */
const MAX_RUN_LENGTH = 1_000;
const SLICE_LENGTH = 20_000;
/** To count a short text takes as long as this many characters of a long one. */
const CALL_LENGTH = 100;
const RUNS = /\p{L}{1,1000}|\s{1,1000}|[^\p{L}\s]{1,1000}/gu;
/** Upper bound for the average characters per token of any realistic text. */
const MAX_AVERAGE_TOKEN_LENGTH = 16;

// Loading the vocabulary takes half a second and 60 MB, so it is loaded on first use.
const importVocabulary = () => import("gpt-tokenizer/encoding/o200k_base");
let vocabularyPromise: ReturnType<typeof importVocabulary> | undefined;
const loadVocabulary = () => (vocabularyPromise ??= importVocabulary());
// Control tokens in a customer's text are encoded as ordinary text.
const asText = { disallowedSpecial: new Set<string>() };

let countedLength = 0;

/**
 * Returns the number of tokens in OpenAI's o200k vocabulary; null above `maxTokens`. Exact unless the text has a run of a
 * thousand or more letters, spaces or signs, or 40,000 characters without a space, which are counted in pieces.
 */
export async function countTokens(text: string, maxTokens = Infinity): Promise<number | null> {
  if (text.length > maxTokens * MAX_AVERAGE_TOKEN_LENGTH) return null;
  const { countTokens: count } = await loadVocabulary();
  let tokens = 0;
  for (const slice of slices(text)) {
    tokens += count(slice, asText);
    if (tokens > maxTokens) return null;
    countedLength += slice.length + CALL_LENGTH;
    if (countedLength < SLICE_LENGTH) continue;
    countedLength = 0;
    await yieldToEventLoop();
  }
  return tokens;
}

/** Returns the first `maxTokens` tokens of a text and their number; `whole` is false when it was truncated. */
export async function truncateText(
  text: string,
  maxTokens: number,
): Promise<{ text: string; tokens: number; whole: boolean }> {
  const { encode, decode } = await loadVocabulary();
  const tokens = encode(text, asText);
  if (tokens.length <= maxTokens) return { text, tokens: tokens.length, whole: true };
  return { text: decode(tokens.slice(0, maxTokens)), tokens: maxTokens, whole: false };
}

/** Yields slices of a text, cut at the start of a word or within a run that is too long. */
function* slices(text: string): Generator<string> {
  let slice = "";
  for (const [run] of text.matchAll(RUNS)) {
    if (run.length >= MAX_RUN_LENGTH) {
      if (slice) yield slice;
      yield run;
      slice = "";
    } else {
      if (slice.length > (/^\s/.test(run) ? 1 : 2) * SLICE_LENGTH) {
        yield slice;
        slice = "";
      }
      slice += run;
    }
  }
  if (slice) yield slice;
}

/** OpenAI's fixed costs per message, per name, and for the start of the completion. */
const MESSAGE_TOKENS = 3;
const NAME_TOKENS = 1;
const COMPLETION_START_TOKENS = 3;
/** An image of 1024 × 1024 pixels at high detail. */
const IMAGE_TOKENS = 765;

/** Returns the tokens of a chat's prompt; null when they exceed `maxTokens`. */
export async function countPrompt(
  { messages, tools, response_format }: Chat,
  maxTokens: number,
): Promise<number | null> {
  const maxLength = maxTokens * MAX_AVERAGE_TOKEN_LENGTH;
  const values = [...tools, response_format, ...messages.map((message) => message.tool_calls)];
  // Writing the JSON of megabytes would block the event loop.
  if (values.some((value) => value !== undefined && measureJson(value, maxLength) > maxLength)) return null;
  let tokens = COMPLETION_START_TOKENS;
  const extras = [...tools, ...(response_format ? [response_format] : [])].map((value) => JSON.stringify(value));
  for (const text of [...extras, ...messages.flatMap(getTexts)]) {
    const counted = await countTokens(text, maxTokens);
    if (counted === null || (tokens += counted) > maxTokens) return null;
  }
  for (const message of messages) {
    tokens +=
      MESSAGE_TOKENS + (message.name === undefined ? 0 : NAME_TOKENS) + IMAGE_TOKENS * getImages(message).length;
  }
  return tokens > maxTokens ? null : tokens;
}

const getTexts = (message: Message): string[] =>
  [
    message.role,
    getText(message),
    message.name ?? "",
    message.tool_calls ? JSON.stringify(message.tool_calls) : "",
  ].filter(Boolean);
