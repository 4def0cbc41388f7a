const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/** Kinds of token by their first byte; `part` is a piece of a long string that has not ended yet. */
export const Token = {
  part: 0,
  string: QUOTE,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  /** A number or a word. */
  literal: 1,
} as const;

/** Bytes of a string that are searched in one step. */
const PART_BYTES = 256 * 1024;
/** Strings up to this length are read byte by byte, because each native search has a fixed cost. */
const SHORT_BYTES = 64;

const isPunctuation = new Uint8Array(256);
for (const kind of [Token.comma, Token.colon, Token.openArray, Token.closeArray, Token.openObject, Token.closeObject])
  isPunctuation[kind] = 1;

/** Reads the tokens of valid JSON in UTF-8 one after the other, with their places. */
export class JsonTokens {
  kind: number = Token.part;
  /** Where the token begins and ends, in bytes; a string with its quotes. */
  start = 0;
  end: number;
  #isInString = false;

  constructor(
    private readonly text: Buffer,
    start = 0,
    private readonly limit = text.length,
  ) {
    this.end = start;
  }

  /** Moves on to the next token. Returns false at the end. */
  next(): boolean {
    if (this.#isInString) return this.#readString(this.end);
    const { text, limit } = this;
    let at = this.end;
    while (at < limit && text[at]! <= SPACE) at += 1;
    if (at >= limit) return false;
    this.start = at;
    const byte = text[at]!;
    if (byte === QUOTE) return this.#readString(at + 1);
    at += 1;
    const isLiteral = isPunctuation[byte] === 0;
    if (isLiteral) while (at < limit && text[at]! > SPACE && isPunctuation[text[at]!] === 0) at += 1;
    this.kind = isLiteral ? Token.literal : byte;
    this.end = at;
    return true;
  }

  #readString(from: number): boolean {
    const { text, limit } = this;
    if (from >= limit) return false;
    const stopAt = Math.min(from + PART_BYTES, limit);
    let at = from;
    let nativeFrom = from + SHORT_BYTES;
    while (at < stopAt) {
      const byte = text[at];
      if (byte === QUOTE) return this.#endString(at + 1);
      if (byte === BACKSLASH) {
        at += 2;
        nativeFrom = at + SHORT_BYTES;
      } else {
        at = at < nativeFrom ? at + 1 : this.#skipPlain(at, stopAt);
      }
    }
    this.kind = Token.part;
    this.#isInString = true;
    this.end = at;
    return true;
  }

  /** Returns where the string may end or has a backslash, at most `stopAt`. */
  #skipPlain(from: number, stopAt: number): number {
    const piece = this.text.subarray(from, stopAt);
    const quote = piece.indexOf(QUOTE);
    const plain = quote === -1 ? piece : piece.subarray(0, quote);
    const backslash = plain.indexOf(BACKSLASH);
    return from + (backslash === -1 ? plain.length : backslash);
  }

  #endString(end: number): true {
    this.kind = Token.string;
    this.#isInString = false;
    this.end = end;
    return true;
  }
}
