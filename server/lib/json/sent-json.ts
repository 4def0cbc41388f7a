import { concatInSlices } from "../concat-bytes";
import type { SlicedWork } from "../slices";
import { JsonTokens, Token } from "./tokens";

/** A place in a text, in bytes. */
export interface Span {
  start: number;
  end: number;
}

/** A JSON object with its original text, so that its members can be forwarded unchanged. */
export interface SentJson {
  text: Buffer;
  /** The parsed object, in which large integers are rounded. */
  value: Record<string, unknown>;
  /** The text of each member's value. */
  members: Map<string, Span>;
  /**
   * The object with each integer that `value` rounds as a string: INTEGER_MARK and its digits. Null if there are none.
   */
  exact: Record<string, unknown> | null;
}

/** Marks a string that stands for an integer; callers cannot send this character. */
export const INTEGER_MARK = "\0";

/** Numbers of fewer bytes are exact, or not written only in digits. */
const MIN_INTEGER_BYTES = 16;
const TOKENS_PER_SLICE = 1_000;

export interface Places {
  members: Map<string, Span>;
  /** Integers that a JavaScript number cannot hold. */
  integers: Span[];
}

/**
 * Returns where the members of an object are in its text, which is valid JSON, and the integers that parsing rounds.
 */
export function* findPlaces(text: Buffer): SlicedWork<Places> {
  const tokens = new JsonTokens(text);
  const integers: Span[] = [];
  const finder = createMemberFinder(text);
  for (let count = 1; tokens.next(); count += 1) {
    const { kind, start, end } = tokens;
    if (kind === Token.part || count % TOKENS_PER_SLICE === 0) yield;
    if (kind === Token.literal && isRounded(text, start, end)) integers.push({ start, end });
    finder.add(tokens);
  }
  return { members: finder.members, integers };
}

function createMemberFinder(text: Buffer) {
  const members = new Map<string, Span>();
  let depth = 0;
  let name: string | null = null;
  let valueStart = 0;
  return {
    members,
    add({ kind, start, end }: JsonTokens): void {
      if (kind === Token.part || kind === Token.comma || kind === Token.colon) return;
      const isOpening = kind === Token.openArray || kind === Token.openObject;
      const isClosing = kind === Token.closeArray || kind === Token.closeObject;
      if (isClosing) depth -= 1;
      else if (depth === 1) valueStart = start;
      if (isOpening) depth += 1;
      else if (depth !== 1) return;
      else if (name === null) name = readString(text, { start, end });
      else {
        members.set(name, { start: valueStart, end });
        name = null;
      }
    },
  };
}

function isRounded(text: Buffer, start: number, end: number): boolean {
  if (end - start < MIN_INTEGER_BYTES) return false;
  const number = Number(text.toString("latin1", start, end));
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

/** A place in a text, and the text that replaces it. */
export interface Edit extends Span {
  text: Buffer;
}

/** Returns the text in which these integers are strings that begin with INTEGER_MARK. */
export function* markIntegers(text: Buffer, integers: Span[]): SlicedWork<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < integers.length; at += TOKENS_PER_SLICE) {
    const edits = integers.slice(at, at + TOKENS_PER_SLICE).map(({ start, end }) => {
      const marked = JSON.stringify(INTEGER_MARK + text.toString("latin1", start, end));
      return { start, end, text: Buffer.from(marked) };
    });
    const { end } = edits.at(-1)!;
    pieces.push(Buffer.concat(splitText(text, { start: from, end }, edits)));
    from = end;
    yield;
  }
  pieces.push(text.subarray(from));
  return yield* concatInSlices(pieces);
}

/** Returns the pieces of a part of a text with these edits, which are in the order of their places. */
export function splitText(text: Buffer, { start, end }: Span, edits: Edit[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = start;
  for (const edit of edits) {
    pieces.push(text.subarray(from, edit.start), edit.text);
    from = edit.end;
  }
  return [...pieces, text.subarray(from, end)];
}

/** Returns the string at a place. */
export const readString = (text: Buffer, { start, end }: Span): string =>
  JSON.parse(text.toString("utf8", start, end)) as string;
