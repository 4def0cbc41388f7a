import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** Words, numbers, runs of one sign, line breaks, and single letters of scripts without spaces. */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[A-Z]?[a-z]+|[A-Z]+|\p{L}+\p{M}*|\p{N}+|([^\s\p{L}\p{N}])\1*|\n+|[\t ]{2,}/gu;
const ASCII = /^[a-zA-Z]/;
const LETTER = /^\p{L}/u;
const DIGIT = /^\p{N}/u;
const SPACE = /^\s/;

/** English words up to this length are mostly one token. */
const ASCII_LETTERS_PER_TOKEN = 8;
const LETTERS_PER_TOKEN = 3;
const DIGITS_PER_TOKEN = 3;
const SIGNS_PER_TOKEN = 4;
const EMOJI = /^\p{Extended_Pictographic}/u;
/** An emoji has two UTF-16 units and mostly one or two tokens. */
const UNITS_PER_EMOJI_TOKEN = 1.5;
const SPACES_PER_TOKEN = 16;

/**
 * Returns about how many tokens a text has, without a vocabulary (docs/decisions/0044-counted-tokens.md). Takes linear
 * time.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += Math.ceil(piece.length / lettersPerToken(piece));
  return tokens;
}

function lettersPerToken(piece: string): number {
  if (ASCII.test(piece)) return ASCII_LETTERS_PER_TOKEN;
  if (LETTER.test(piece)) return LETTERS_PER_TOKEN;
  if (DIGIT.test(piece)) return DIGITS_PER_TOKEN;
  if (EMOJI.test(piece)) return UNITS_PER_EMOJI_TOKEN;
  return SPACE.test(piece) ? SPACES_PER_TOKEN : SIGNS_PER_TOKEN;
}

export interface TokenCounter {
  push(text: string): void;
  /** Returns about how many tokens all texts together have. */
  count(): number;
}

const WORD_END = /\s\S*$/;
const MAX_TAIL_LENGTH = 256;
/** Looking at longer texts would keep others waiting. */
const MAX_TEXT_LENGTH = 16 * 1024;
const LENGTH_PER_TOKEN = 3;

/** Creates a counter for a text that arrives in pieces, which may end within a word. */
export function createTokenCounter(): TokenCounter {
  let tokens = 0;
  let tail = "";
  return {
    push(text) {
      if (text.length > MAX_TEXT_LENGTH) {
        tokens += Math.ceil(text.length / LENGTH_PER_TOKEN);
        return;
      }
      const joined = tail + text;
      const end = joined.length > MAX_TAIL_LENGTH ? joined.length : joined.search(WORD_END);
      if (end > 0) tokens += estimateTokens(joined.slice(0, end));
      tail = end > 0 ? joined.slice(end) : joined;
    },
    count: () => tokens + estimateTokens(tail),
  };
}

/** Returns about how many tokens texts have together, and lets others have the event loop in between. */
export async function estimateTokensOf(texts: Iterable<string>): Promise<number> {
  let tokens = 0;
  let length = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; start += MAX_TEXT_LENGTH) {
      const slice = text.slice(start, start + MAX_TEXT_LENGTH);
      tokens += estimateTokens(slice);
      length += slice.length;
      if (length < MAX_TEXT_LENGTH) continue;
      length = 0;
      await yieldToEventLoop();
    }
  }
  return tokens;
}
