import type { TokenPricing } from "../../catalogue/pricing";
import { decodeHead, isPdf, maxAudioTokens, readAttachment } from "../attachments";

type Json = Record<string, unknown>;

/** The most expensive image known (GPT-4o mini, eight tiles) counts as about 48,000 tokens. */
const MAX_IMAGE_TOKENS = 50_000;
/** Chat templates add roles and separators to each message, and a preamble to the chat. */
const MAX_MESSAGE_OVERHEAD_TOKENS = 16;
const MAX_CHAT_OVERHEAD_TOKENS = 512;
/** Chat templates may indent tools and schemas, which at most doubles their bytes. */
const INDENTATION_FACTOR = 2;

/**
 * Parts whose tokens are bounded by their bytes, besides text files and some recordings. Nothing bounds those of others:
 * a PDF is compressed, and may show one page many times.
 */
const boundedPartTypes = new Set(["text", "input_text", "refusal", "thinking", "reasoning", "tool_result"]);

/** The most tokens of a chat. */
export interface MaxTokens {
  /** Of the whole prompt, and those of it that can be audio, or of pictures. */
  input: number;
  audio: number;
  image: number;
  output: number;
}

/** The most tokens of files that a chat only names, by the places of their parts. */
export type FileTokens = ReadonlyMap<string, number>;

/**
 * Returns an upper bound of the tokens that a chat can use. Output is the customer's limit, at most the model's;
 * without one it is the model's, as far as the context leaves room.
 */
export function maxTokens(
  { contextLength, maxOutputTokens }: Pick<TokenPricing, "contextLength" | "maxOutputTokens">,
  input: Record<string, unknown>,
  fileTokens: FileTokens = new Map(),
): MaxTokens {
  const bounds = maxPromptTokens(input, contextLength ?? Infinity, fileTokens);
  const prompt = bounds.input;
  const requested = [input.max_tokens, input.max_completion_tokens].filter((limit) => typeof limit === "number");
  if (requested.length > 0) return { ...bounds, output: Math.min(Math.max(...requested), maxOutputTokens) };
  // Inference servers reject a limit that does not fit into the context beside the prompt. Half the bound is used for
  // the prompt, because hardly any text has more than one token for two bytes.
  const room = contextLength === null ? Infinity : contextLength - Math.ceil(prompt / 2);
  return { ...bounds, output: Math.max(1, Math.min(maxOutputTokens, room)) };
}

/**
 * Returns an upper bound of a prompt's tokens: no tokenizer makes more tokens of a text than it has bytes. A part that
 * is not bounded by its bytes counts as the whole context (Infinity when that is unknown), because providers reject
 * more.
 */
function maxPromptTokens(
  { messages, ...rest }: Json,
  contextLength: number,
  fileTokens: FileTokens,
): Omit<MaxTokens, "output"> {
  const options = { ...rest, max_tokens: undefined, max_completion_tokens: undefined };
  const bounds = { input: MAX_CHAT_OVERHEAD_TOKENS + INDENTATION_FACTOR * byteLength(options), audio: 0, image: 0 };
  for (const [m, message] of toArray(messages).entries()) {
    bounds.input += MAX_MESSAGE_OVERHEAD_TOKENS;
    addMessage(bounds, message, (p) => fileTokens.get(`messages.${m}.content.${p}`));
  }
  return {
    input: Math.min(bounds.input, contextLength),
    audio: Math.min(bounds.audio, contextLength),
    image: Math.min(bounds.image, contextLength),
  };
}

function addMessage(
  bounds: Omit<MaxTokens, "output">,
  message: unknown,
  findFileTokens: (part: number) => number | undefined,
): void {
  const content = (message as Json | null)?.content;
  if (!Array.isArray(content)) {
    bounds.input += byteLength(message);
    return;
  }
  bounds.input += byteLength({ ...(message as Json), content: null });
  for (const [p, part] of content.entries()) {
    const known = findFileTokens(p);
    const tokens = known === undefined ? partTokens(part) : known + byteLength(part);
    const medium = mediumOf(part, tokens);
    bounds.input += tokens;
    if (medium) bounds[medium] += tokens;
  }
}

function partTokens(part: unknown): number {
  const attachment = readAttachment(part, "");
  if (!attachment) return boundedPartTypes.has(partType(part)) ? byteLength(part) : Infinity;
  const { medium, source } = attachment;
  if (medium === "image") return MAX_IMAGE_TOKENS;
  if (source?.by !== "data") return Infinity;
  const head = decodeHead(source);
  if (medium === "audio") return maxAudioTokens(head, source.value.length - source.start);
  return isPdf(head) ? Infinity : byteLength(part);
}

/** Returns what the tokens of a part may be counted as beside text. A PDF or a video, which nothing bounds, has pictures. */
function mediumOf(part: unknown, tokens: number): "audio" | "image" | null {
  if (partType(part) === "input_audio") return "audio";
  return partType(part) === "image_url" || tokens === Infinity ? "image" : null;
}

/** Returns the paths of the message parts whose tokens are bounded only by the model's context. */
export function unboundedParts(messages: unknown): string[] {
  return toArray(messages).flatMap((message, m) =>
    toArray((message as Json | null)?.content).flatMap((part, p) =>
      partTokens(part) === Infinity ? [`messages.${m}.content.${p}`] : [],
    ),
  );
}

const partType = (part: unknown): string => String((part as Json | null)?.type);

/** Long strings count without the escapes of JSON, which are no tokens and take long to make. */
const LONG_LENGTH = 4_096;

/** Returns the bytes of a value as JSON. */
function byteLength(value: unknown): number {
  if (typeof value === "string" && value.length > LONG_LENGTH) return Buffer.byteLength(value) + '""'.length;
  if (typeof value !== "object" || value === null) return Buffer.byteLength(JSON.stringify(value) ?? "");
  if (Array.isArray(value)) return sumBytes(value.map(byteLength));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return sumBytes(members.map(([name, member]) => byteLength(name) + ":".length + byteLength(member)));
}

/** Returns the bytes of a list or an object, with its brackets and commas. */
const sumBytes = (parts: number[]): number =>
  "[]".length + parts.reduce((sum, part) => sum + part, 0) + Math.max(0, parts.length - 1);
const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
