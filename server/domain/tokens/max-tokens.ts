import type { TokenPricing } from "../../catalogue/pricing";
import { THOUGHT_SIGNATURE } from "../../providers/chat-call";
import type { SlicedWork } from "../../lib/slices";
import { decodeHead, hasSpokenAnswer, isPdf, maxAudioTokens, readAttachment } from "../attachments";

type Json = Record<string, unknown>;

/** The most expensive image known (GPT-4o mini, eight tiles) counts as about 48,000 tokens. */
const MAX_IMAGE_TOKENS = 50_000;
/** Chat templates add roles and separators to each message, and a preamble to the chat. */
const MAX_MESSAGE_OVERHEAD_TOKENS = 16;
const MAX_CHAT_OVERHEAD_TOKENS = 512;
/** Chat templates may indent tools and schemas, which at most doubles their bytes. */
const INDENTATION_FACTOR = 2;

/**
 * Parts whose tokens are bounded by their bytes, besides text files and some recordings. Nothing bounds the tokens of
 * others: a PDF is compressed, and may show one page many times.
 */
const boundedPartTypes = new Set(["text", "input_text", "refusal", "thinking", "reasoning", "tool_result"]);

/** The maximum tokens of a chat. */
export interface MaxTokens {
  /** Of the whole prompt; `audio` and `image` are those of it that may be charged as such. */
  input: number;
  audio: number;
  image: number;
  output: number;
}

/** The maximum tokens of files that a chat only names, by the places of their parts. */
export type FileTokens = ReadonlyMap<string, number>;

const NO_FILES: FileTokens = new Map();

/**
 * Returns an upper bound of the tokens that a chat can use. Output is the customer's limit, at most the model's;
 * without one it is the model's, as far as the context leaves room.
 */
export function* maxTokens(
  { contextLength, maxOutputTokens }: Pick<TokenPricing, "contextLength" | "maxOutputTokens">,
  input: Record<string, unknown>,
  fileTokens = NO_FILES,
): SlicedWork<MaxTokens> {
  const bounds = yield* maxPromptTokens(input, contextLength ?? Infinity, fileTokens);
  const prompt = bounds.input;
  const requested = [input.max_tokens, input.max_completion_tokens].filter((limit) => typeof limit === "number");
  if (requested.length > 0) return { output: Math.min(Math.max(...requested), maxOutputTokens), ...bounds };
  // Inference servers reject a limit that does not fit into the context beside the prompt. Half the bound is used for
  // the prompt, because hardly any text has more than one token for two bytes.
  const room = contextLength === null ? Infinity : contextLength - Math.ceil(prompt / 2);
  return { output: Math.max(1, Math.min(maxOutputTokens, room)), ...bounds };
}

/**
 * Returns an upper bound of a prompt's tokens: no tokenizer makes more tokens of a text than it has bytes. A part that
 * is not bounded by its bytes counts as the whole context (Infinity when that is unknown), because providers reject
 * more.
 */
function* maxPromptTokens(
  { messages, ...options }: Json,
  contextLength: number,
  fileTokens: FileTokens,
): SlicedWork<Omit<MaxTokens, "output">> {
  Object.assign(options, { max_tokens: undefined, max_completion_tokens: undefined });
  const optionBytes = yield* byteLength(options);
  const bounds = { input: MAX_CHAT_OVERHEAD_TOKENS + INDENTATION_FACTOR * optionBytes, audio: 0, image: 0 };
  for (const [m, message] of toArray(messages).entries()) {
    bounds.input += MAX_MESSAGE_OVERHEAD_TOKENS;
    yield* addMessage(bounds, message, (p) => fileTokens.get(placeOf(m, p)));
  }
  return {
    input: Math.min(bounds.input, contextLength),
    audio: Math.min(bounds.audio, contextLength),
    image: Math.min(bounds.image, contextLength),
  };
}

function* addMessage(
  bounds: Omit<MaxTokens, "output">,
  message: unknown,
  findFileTokens: (part: number) => number | undefined,
): SlicedWork<void> {
  const content = (message as Json | null)?.content;
  bounds.input += signatureLength(message);
  if (hasSpokenAnswer(message)) {
    bounds.input += Infinity;
    bounds.audio += Infinity;
  }
  if (!Array.isArray(content)) {
    bounds.input += yield* byteLength(message);
    return;
  }
  bounds.input += yield* byteLength({ ...(message as Json), content: null });
  for (const [p, part] of content.entries()) {
    const file = findFileTokens(p);
    const counted = file === undefined ? maxPartTokens(part) : null;
    const tokens = counted ?? (file ?? 0) + (yield* byteLength(part));
    const medium = mediumOf(part, tokens);
    bounds.input += tokens;
    if (medium) bounds[medium] += tokens;
  }
}

/** Returns the length of the signatures of calls, which are not in the JSON of a message and which a provider may count. */
function signatureLength(message: unknown): number {
  let length = 0;
  for (const call of toArray((message as Json | null)?.tool_calls))
    length += (call as { [THOUGHT_SIGNATURE]?: string } | null)?.[THOUGHT_SIGNATURE]?.length ?? 0;
  return length;
}

/** Returns the maximum tokens of a part without a named file: Infinity if nothing bounds them, null if its bytes do. */
function maxPartTokens(part: unknown): number | null {
  const attachment = readAttachment(part, "");
  if (!attachment) return boundedPartTypes.has(partType(part)) ? null : Infinity;
  const { medium, source } = attachment;
  if (medium === "image") return MAX_IMAGE_TOKENS;
  if (source?.by !== "data") return Infinity;
  const head = decodeHead(source);
  if (medium === "audio") return maxAudioTokens(head, source.value.length - source.start);
  return isPdf(head) ? Infinity : null;
}

/** Returns what the tokens of a part may be counted as besides text. An unbounded part, such as a video, has pictures. */
function mediumOf(part: unknown, tokens: number): "audio" | "image" | null {
  if (partType(part) === "input_audio") return "audio";
  return partType(part) === "image_url" || tokens === Infinity ? "image" : null;
}

/** Returns the paths of the parts and spoken answers of messages whose tokens are bounded only by the model's context. */
export function unboundedParts(messages: unknown, fileTokens = NO_FILES): string[] {
  return toArray(messages).flatMap((message, m) => {
    const parts = toArray((message as Json | null)?.content).flatMap((part, p) => {
      const place = placeOf(m, p);
      return fileTokens.has(place) || maxPartTokens(part) !== Infinity ? [] : [place];
    });
    return hasSpokenAnswer(message) ? [...parts, `messages.${m}.audio`] : parts;
  });
}

const placeOf = (message: number, part: number): string => `messages.${message}.content.${part}`;
const partType = (part: unknown): string => String((part as Json | null)?.type);

/** Strings above this length are counted without JSON escapes, which are not tokens and are slow to produce. */
const LONG_LENGTH = 4_096;

/** How many values are counted before the work may pause. */
const VALUES_PER_SLICE = 100;

/** Returns the bytes of a value as JSON, in work that pauses at least once for each message. */
function* byteLength(value: unknown): SlicedWork<number> {
  const uncounted = [value];
  let bytes = 0;
  for (let count = 0; uncounted.length > 0; count += 1) {
    if (count % VALUES_PER_SLICE === 0) yield;
    const next = uncounted.pop();
    if (Array.isArray(next)) {
      bytes += "[]".length + Math.max(0, next.length - 1);
      for (const item of next) uncounted.push(item);
    } else if (typeof next === "object" && next !== null) {
      const members = next as Json;
      const names = Object.keys(members).filter((name) => members[name] !== undefined);
      bytes += "{}".length + Math.max(0, names.length - 1) + ":".length * names.length;
      for (const name of names) uncounted.push(name, members[name]);
    } else bytes += scalarLength(next);
  }
  return bytes;
}

/** ASCII without what JSON escapes: as many bytes as characters. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

function scalarLength(value: unknown): number {
  if (typeof value !== "string") return (JSON.stringify(value) ?? "").length;
  if (value.length > LONG_LENGTH) return Buffer.byteLength(value) + '""'.length;
  return PLAIN_TEXT.test(value) ? value.length + '""'.length : Buffer.byteLength(JSON.stringify(value));
}

const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
