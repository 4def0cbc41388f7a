type Json = Record<string, unknown>;

/** The dearest known way to count one picture is about 48,000 tokens (GPT-4o mini, eight tiles). */
const IMAGE = 50_000;
/** What templates put around each message, and around the whole: roles, separators, a preamble of the model's own. */
const MESSAGE = 16;
const CHAT = 512;
/** Templates may print tools and schemas with indentation. */
const PRINTED = 2;

/** Parts whose tokens their bytes bound. Of any other part (a PDF, a video, an id) nobody knows before it was read. */
const BOUNDED = new Set(["text", "input_text", "refusal", "input_audio", "thinking", "reasoning", "tool_result"]);

/**
 * An upper bound of the tokens of a chat's prompt: no tokenizer makes more tokens of a text than it has bytes. What
 * cannot be bounded by its bytes counts as the whole context (Infinity when that is unknown); upstream refuses what is
 * longer.
 */
export function maxPromptTokens({ messages, ...rest }: Json, contextLength: number | null): number {
  let tokens = CHAT + PRINTED * bytesOf({ ...rest, max_tokens: undefined, max_completion_tokens: undefined });
  for (const message of list(messages)) tokens += MESSAGE + messageTokens(message);
  return Math.min(tokens, contextLength ?? Infinity);
}

function messageTokens(message: unknown): number {
  const content = (message as Json | null)?.content;
  if (!Array.isArray(content)) return bytesOf(message);
  return content.reduce<number>(
    (sum, part) => sum + partTokens(part),
    bytesOf({ ...(message as Json), content: null }),
  );
}

function partTokens(part: unknown): number {
  if (typeOf(part) === "image_url") return IMAGE;
  return isBounded(part) ? bytesOf(part) : Infinity;
}

const isBounded = (part: unknown): boolean => typeOf(part) === "image_url" || BOUNDED.has(typeOf(part));

/** The places of parts that only the model's context bounds. */
export function unboundedParts(messages: unknown): string[] {
  return list(messages).flatMap((message, m) =>
    list((message as Json | null)?.content).flatMap((part, p) =>
      isBounded(part) ? [] : [`messages.${m}.content.${p}`],
    ),
  );
}

const typeOf = (part: unknown): string => String((part as Json | null)?.type);
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
