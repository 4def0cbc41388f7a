/** Limits for the nesting of JSON, for its number of values (itself, members and items) and for the bytes of all names. */
export interface JsonBounds {
  maxDepth: number;
  maxValues: number;
  maxNameBytes?: number;
}

/** Names beyond this would block the event loop when a parsed value comes from another thread. */
export const MAX_NAME_BYTES = 2 * 1024 * 1024;

/** The first limit that the bytes so far exceed. */
type BrokenBound = keyof JsonBounds;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const DENSE_LENGTH = 1024;

/**
 * Counts nesting and values of JSON in its arriving bytes, before it is parsed: parsing a mebibyte of
 * small objects takes eighty milliseconds and twenty times its size. Invalid JSON is left to the parser to reject.
 */
export class JsonScanner {
  #depth = 0;
  #values = 1;
  #inString = false;
  /** Whether the byte before this chunk is a backslash that escapes the next one. */
  #escaped = false;
  /** Whether only white space has followed the last opening bracket. */
  #isEmpty = false;
  /** Bytes of the chunks before this one. */
  #scanned = 0;
  /** Where the last string began. */
  #stringStart = 0;
  #nameBytes = 0;

  constructor(private readonly bounds: JsonBounds) {}

  /** How many values the bytes so far contain. */
  get values(): number {
    return this.#values;
  }

  /** Returns the limit that the JSON exceeds with these next bytes, or null. */
  push(bytes: Uint8Array): BrokenBound | null {
    const { maxDepth, maxValues, maxNameBytes = Infinity } = this.bounds;
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at < chunk.length) {
      at = this.#inString ? this.#skipString(chunk, at) : this.#scanTokens(chunk, at);
      if (this.#depth > maxDepth) return "maxDepth";
      if (this.#values > maxValues) return "maxValues";
      if (this.#nameBytes > maxNameBytes) return "maxNameBytes";
    }
    this.#scanned += chunk.length;
    return null;
  }

  /** Returns the position after the end of the string, or the end of the chunk. Long texts are searched natively. */
  #skipString(chunk: Buffer, from: number): number {
    let start = from;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, start);
      const end = quote === -1 ? chunk.length : quote;
      const escaped = this.#endsInEscape(chunk, start, end);
      if (quote === -1) {
        this.#escaped = escaped;
        return end;
      }
      this.#escaped = false;
      start = quote + 1;
      if (!escaped) this.#inString = false;
      else start = this.#skipEscapes(chunk, start);
      if (!this.#inString || start === chunk.length) return start;
    }
  }

  /** Continues byte by byte for a while: escaped quotes come in clusters, and each native search has a fixed cost. */
  #skipEscapes(chunk: Buffer, from: number): number {
    const end = Math.min(chunk.length, from + DENSE_LENGTH);
    let at = from;
    while (at < end) {
      const byte = chunk[at];
      at += byte === BACKSLASH ? 2 : 1;
      if (byte === QUOTE) {
        this.#inString = false;
        return at;
      }
    }
    this.#escaped = at > chunk.length;
    return Math.min(at, chunk.length);
  }

  /** Returns whether an odd number of backslashes precedes `end`, including those of the previous chunk. */
  #endsInEscape(chunk: Buffer, start: number, end: number): boolean {
    let at = end;
    while (at > start && chunk[at - 1] === BACKSLASH) at -= 1;
    const isOdd = (end - at) % 2 === 1;
    return at === start && this.#escaped ? !isOdd : isOdd;
  }

  /** Returns the position after the opening quote of the next string, after a broken bound, or the end of the chunk. */
  #scanTokens(chunk: Buffer, from: number): number {
    const { maxDepth, maxValues } = this.bounds;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte <= SPACE) continue;
      switch (byte) {
        case QUOTE:
          this.#isEmpty = false;
          this.#inString = true;
          this.#stringStart = this.#scanned + at;
          return at + 1;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.#depth += 1;
          this.#isEmpty = true;
          if (this.#depth > maxDepth) return at + 1;
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#depth -= 1;
          this.#values += Number(!this.#isEmpty);
          this.#isEmpty = false;
          break;
        case COLON:
          this.#nameBytes += this.#scanned + at - this.#stringStart;
          break;
        case COMMA:
          this.#values += 1;
          this.#isEmpty = false;
          if (this.#values > maxValues) return at + 1;
          break;
        default:
          this.#isEmpty = false;
      }
    }
    return chunk.length;
  }
}
