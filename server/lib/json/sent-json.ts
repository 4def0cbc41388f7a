import type { SlicedWork } from "../slices";
import { JsonTokens, Token } from "./tokens";

/** A place in a text, in bytes. */
export interface Span {
  start: number;
  end: number;
}

/** A JSON object with the text in which it was sent, so that its members can be passed on as they are. */
export interface SentJson {
  text: Buffer;
  /** The parsed object, in which large integers are rounded. */
  value: Record<string, unknown>;
  /** The text of each member's value. */
  members: Map<string, Span>;
  /** The object with each integer that `value` rounds as a string: INTEGER_MARK and its digits. Null if there are none. */
  exact: Record<string, unknown> | null;
}

/** Marks an integer among strings, in which callers cannot send it. */
export const INTEGER_MARK = "\0";

/** Numbers of fewer bytes are exact, or are no integers of single digits. */
const MIN_INTEGER_BYTES = 16;
const TOKENS_PER_SLICE = 1_000;

export interface Places {
  members: Map<string, Span>;
  /** Integers that a JavaScript number cannot hold. */
  integers: Span[];
}

/** Returns where the members of an object are in its text, which is valid JSON, and the integers that parsing rounds. */
export function* findPlaces(text: Buffer): SlicedWork<Places> {
  const tokens = new JsonTokens(text);
  const members = new Map<string, Span>();
  const integers: Span[] = [];
  let depth = 0;
  let name: string | null = null;
  let valueStart = 0;
  for (let count = 1; tokens.next(); count += 1) {
    const { kind, start, end } = tokens;
    if (kind === Token.part || count % TOKENS_PER_SLICE === 0) yield;
    if (kind === Token.part || kind === Token.comma || kind === Token.colon) continue;
    if (kind === Token.openArray || kind === Token.openObject) {
      if (depth === 1) valueStart = start;
      depth += 1;
      continue;
    }
    if (kind === Token.closeArray || kind === Token.closeObject) depth -= 1;
    else if (depth === 1) valueStart = start;
    if (kind === Token.literal && isRounded(text, start, end)) integers.push({ start, end });
    if (depth !== 1) continue;
    if (name === null) name = readString(text, { start, end });
    else {
      members.set(name, { start: valueStart, end });
      name = null;
    }
  }
  return { members, integers };
}

function isRounded(text: Buffer, start: number, end: number): boolean {
  if (end - start < MIN_INTEGER_BYTES) return false;
  const number = Number(text.toString("latin1", start, end));
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

/** A place in a text and what is to stand there. */
export interface Edit extends Span {
  text: Buffer;
}

/** Returns the text in which these integers are strings that begin with INTEGER_MARK. */
export function markIntegers(text: Buffer, integers: Span[]): Buffer {
  const edits = integers.map(({ start, end }) => {
    const marked = JSON.stringify(INTEGER_MARK + text.toString("latin1", start, end));
    return { start, end, text: Buffer.from(marked) };
  });
  return Buffer.concat(splitText(text, { start: 0, end: text.length }, edits));
}

/** Returns the pieces of a part of a text with some of its places replaced, which are in their order. */
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
