import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/**
 * Single letters of scripts without spaces, ASCII words, other words, numbers, runs of ASCII signs, runs of one other sign,
 * line breaks, and spaces that are not part of the next word.
 */
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}]|[A-Z]?[a-z]+|[A-Z]+|\p{L}[\p{L}\p{M}]*|\p{N}+|[!-/:-@[-`{-~]+\n*|([^\s\p{L}\p{N}])\1*|\n+|[\t ]{2,}| (?=\p{N})/gu;
const WITHOUT_SPACES =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const RARE_IDEOGRAPH = /^[\u3400-\u4dbf\u{20000}-\u{3ffff}]/u;
const LETTER = /^\p{L}/u;
const DIGIT = /^\p{N}/u;
const ASCII_SIGNS = /^[!-/:-@[-`{-~]/;
const SPACE = /^\s/;
const EMOJI = /^\p{Extended_Pictographic}/u;
const ASCII_WORD = /^[a-zA-Z]+$/;
const CAPITALS = /^[A-Z]{5}/;
const ASTRAL = /^[\u{10000}-\u{10ffff}]/u;
/** Dashes, quotation marks and other signs of prose, which are one token each, as ASCII signs are. */
const FREQUENT_SIGN = /^[\0-\u00ff\u2010-\u2027\u3000-\u3011]/;

/** English words up to this length are mostly one token. */
const LETTERS_PER_TOKEN = 8;
const CAPITALS_PER_TOKEN = 2.2;
const TOKENS_PER_RARE_IDEOGRAPH = 3;
const DIGITS_PER_TOKEN = 3;
const SIGNS_PER_TOKEN = 4;
const SIGNS_PER_PAIRED_TOKEN = 3;
/** Pairs of signs that are one token in JSON and in code. */
const FREQUENT_SIGN_PAIRS = new Set(
  `": :" ", ," :{ {" "} }, ,{ :[ [{ [" "] ], ]} \\" :/ /* */ () ); ), ): ({ }) }; (" ") "; ." ./ => != ->`.split(" "),
);
/** Signs that vocabularies do not have are written as the tokens of two or three bytes. */
const TOKENS_PER_RARE_SIGN = 2;
/** An emoji has two UTF-16 units and mostly one or two tokens. */
const UNITS_PER_EMOJI_TOKEN = 1.5;
const SPACES_PER_TOKEN = 16;

/** Tokens of one UTF-16 unit of a letter, by the code point up to which they count: prose in the scripts of each block. */
const LETTER_TOKENS: [upTo: number, tokens: number][] = [
  [0xff, 0.5], // Latin with accents
  [0x24f, 0.8], // Rarer Latin
  [0x52f, 1 / 3], // Greek, Cyrillic
  [0x5ff, 0.5], // Armenian, Hebrew
  [0x8ff, 1 / 3], // Arabic
  [0xdff, 0.5], // Scripts of India
  [0x109f, 1.8], // Lao, Tibetan
  [0x10ff, 0.55], // Georgian
  [0x1dff, 2], // Ethiopic, Cherokee, Canadian syllabics
  [0x1fff, 0.6], // Vietnamese
  [Infinity, 2],
];

/** The letters that often follow each letter in European languages and in code: 97 % of the pairs in such text. */
const FREQUENT_PAIRS =
  "aabcdfgiklmnoprstuvwyz baeijlorsuy cacehiklorstu dadeiorsu eabcdefgilmnopqrstuvwxy faefilortu gaehilnoru haeiortu " +
  "iabcdefgjklmnopqrstuvz jaeos kaeios labdeghilostuvy mabegimopsuy nacdefgiklmnopstuvy oabcdefgiklmnoprstuvw " +
  "paeilmoprstu qu rabcdefgiklmnorstuvy sacehiloprstuy tacehilmnoprstuwy uabcdegilmnprst vaeio waehinosw xapt yaenops zaei";

/** Whether a pair of lower-case letters is frequent, by `(first - a) * 26 + second - a`. */
const isFrequentPair = new Uint8Array(26 * 26);
for (const [first, ...others] of FREQUENT_PAIRS.split(" "))
  for (const second of others) isFrequentPair[pairIndex(first!.charCodeAt(0), second.charCodeAt(0))] = 1;

function pairIndex(first: number, second: number): number {
  return ((first | 0x20) - 0x61) * 26 + (second | 0x20) - 0x61;
}

/**
 * Returns about how many tokens a text has, without a vocabulary (docs/decisions/0044-counted-tokens.md). Takes linear
 * time.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += pieceTokens(piece);
  return Math.ceil(tokens);
}

function pieceTokens(piece: string): number {
  const { length } = piece;
  if (ASCII_WORD.test(piece)) return wordTokens(piece);
  if (WITHOUT_SPACES.test(piece)) return RARE_IDEOGRAPH.test(piece) ? TOKENS_PER_RARE_IDEOGRAPH : length;
  if (LETTER.test(piece)) return Math.ceil(letterTokens(piece));
  if (DIGIT.test(piece)) return Math.ceil(length / DIGITS_PER_TOKEN);
  if (ASCII_SIGNS.test(piece)) return signTokens(piece.trimEnd());
  if (SPACE.test(piece)) return Math.ceil(length / SPACES_PER_TOKEN);
  if (EMOJI.test(piece) && ASTRAL.test(piece)) return Math.ceil(length / UNITS_PER_EMOJI_TOKEN);
  const tokens = Math.ceil(length / SIGNS_PER_TOKEN);
  return FREQUENT_SIGN.test(piece) ? tokens : tokens * TOKENS_PER_RARE_SIGN;
}

/** Returns the tokens of ASCII signs: up to four equal ones are one token, and so are up to three of frequent pairs. */
function signTokens(signs: string): number {
  let tokens = 0;
  let inToken = 0;
  for (let at = 0; at < signs.length; at += 1) {
    const isJoined = inToken > 0 && inToken < signsPerToken(signs[at - 1]!, signs[at]!);
    inToken = isJoined ? inToken + 1 : 1;
    if (!isJoined) tokens += 1;
  }
  return tokens;
}

function signsPerToken(sign: string, next: string): number {
  if (sign === next) return SIGNS_PER_TOKEN;
  return FREQUENT_SIGN_PAIRS.has(sign + next) ? SIGNS_PER_PAIRED_TOKEN : 1;
}

/** Returns the tokens of a word. One that is not a word of any language has a token for each pair that is not frequent. */
function wordTokens(word: string): number {
  const perToken = CAPITALS.test(word) ? CAPITALS_PER_TOKEN : LETTERS_PER_TOKEN;
  let rarePairs = 0;
  for (let at = 1; at < word.length; at += 1) {
    const [first, second] = [word.charCodeAt(at - 1), word.charCodeAt(at)];
    if (first !== second && !isFrequentPair[pairIndex(first, second)]) rarePairs += 1;
  }
  // Most words with one such pair are in vocabularies all the same.
  return Math.max(Math.ceil(word.length / perToken), rarePairs > 0 ? rarePairs + 0.4 : 1);
}

function letterTokens(word: string): number {
  let tokens = 0;
  for (let at = 0; at < word.length; at += 1) {
    const unit = word.charCodeAt(at);
    tokens += LETTER_TOKENS.find(([upTo]) => unit <= upTo)![1];
  }
  return tokens;
}
interface TokenCounter {
  push(text: string): void;
  /** Returns about how many tokens all texts together have. */
  count(): number;
}

const WORD_END = /\s\S*$/;
const MAX_TAIL_LENGTH = 256;

/** Creates a counter for a text that arrives in pieces, which may end within a word. `measure` returns the tokens of a text. */
export function createTokenCounter(measure = estimateTokens): TokenCounter {
  let tokens = 0;
  let tail = "";
  return {
    push(text) {
      const joined = tail + text;
      const end = joined.length > MAX_TAIL_LENGTH ? joined.length : joined.search(WORD_END);
      if (end > 0) tokens += measure(joined.slice(0, end));
      tail = end > 0 ? joined.slice(end) : joined;
    },
    count: () => tokens + measure(tail),
  };
}

const SLICE_LENGTH = 16 * 1024;

/** Returns about how many tokens texts have together, as `measure` counts them. Yields to the event loop between slices. */
export async function estimateTokensOf(texts: Iterable<string>, measure = estimateTokens): Promise<number> {
  let tokens = 0;
  let length = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; start += SLICE_LENGTH) {
      const slice = text.slice(start, start + SLICE_LENGTH);
      tokens += measure(slice);
      length += slice.length;
      if (length < SLICE_LENGTH) continue;
      length = 0;
      await yieldToEventLoop();
    }
  }
  return tokens;
}
