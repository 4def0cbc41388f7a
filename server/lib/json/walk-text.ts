import type { SlicedWork } from "../slices";
import { readString, type Span } from "./sent-json";
import { JsonTokens, Token } from "./tokens";

/** An object or an array that has not ended yet. */
interface Level {
  /** The names of an object so far; null for an array. */
  names: Set<string> | null;
  /** The member or item that follows; null where a name must come first. */
  key: string | number | null;
}

const TOKENS_PER_SLICE = 1_000;

/** Returns the path of the first duplicate member of an object; null if there is none. */
export function* findRepeatedMember(text: Buffer): SlicedWork<PropertyKey[] | null> {
  const levels: Level[] = [];
  const tokens = new JsonTokens(text);
  for (let count = 1; tokens.next(); count += 1) {
    if (tokens.kind === Token.part || count % TOKENS_PER_SLICE === 0) yield;
    const name = step(levels, tokens, text);
    if (name === null) continue;
    const { names } = levels.at(-1)!;
    if (names!.has(name)) return levels.map(({ key }) => key!);
    names!.add(name);
  }
  return null;
}

/** Separates the steps of a path: no name that callers may send has it. */
export const PATH_SEPARATOR = "\0";

/** A place in a text with its path. */
interface FoundValue extends Span {
  path: string;
}

/**
 * Returns the places of the objects and arrays of a part of a text at these paths, whose steps are joined by PATH_SEPARATOR.
 */
export function* findValues(text: Buffer, part: Span, paths: Set<string>): SlicedWork<FoundValue[]> {
  const found: FoundValue[] = [];
  const levels: Level[] = [];
  const starts: number[] = [];
  const tokens = new JsonTokens(text, part.start, part.end);
  for (let count = 1; tokens.next(); count += 1) {
    const { kind, start, end } = tokens;
    if (kind === Token.part || count % TOKENS_PER_SLICE === 0) yield;
    step(levels, tokens, text);
    if (kind === Token.openObject || kind === Token.openArray) starts.push(start);
    if (kind !== Token.closeObject && kind !== Token.closeArray) continue;
    const path = levels.map(({ key }) => key).join(PATH_SEPARATOR);
    const opened = starts.pop()!;
    if (paths.has(path)) found.push({ path, start: opened, end });
  }
  return found;
}

/** Moves on by one token. Returns the name if the token is one. */
function step(levels: Level[], { kind, start, end }: JsonTokens, text: Buffer): string | null {
  const level = levels.at(-1);
  if (kind === Token.openObject) levels.push({ names: new Set(), key: null });
  else if (kind === Token.openArray) levels.push({ names: null, key: 0 });
  else if (kind === Token.closeObject || kind === Token.closeArray) levels.pop();
  else if (kind === Token.comma) level!.key = level!.names ? null : Number(level!.key) + 1;
  else if (kind === Token.string && level?.names && level.key === null) {
    level.key = readString(text, { start, end });
    return level.key;
  }
  return null;
}
