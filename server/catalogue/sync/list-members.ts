import { readString, type Span } from "../../lib/json/sent-json";
import { JsonTokens, Token } from "../../lib/json/tokens";
import type { SlicedWork } from "../../lib/slices";
import { priceListError } from "./price-list-error";

interface Member extends Span {
  name: string;
}

/** Far more than any list has; each takes memory. */
const MAX_MEMBERS = 100_000;
const MEMBERS_PER_SLICE = 250;
const TOKENS_PER_SLICE = 1_000;

/**
 * Returns the members of the JSON object at a place, each with the place of its value. Throws OperatorError if it is not an
 * object, and for too many members. The insides of the values are not checked.
 */
export function* listMembers(text: Buffer, { start, end }: Span): SlicedWork<Member[]> {
  const tokens = new JsonTokens(text, start, end);
  const members: Member[] = [];
  expectToken(tokens, Token.openObject);
  moveOn(tokens);
  while (tokens.kind !== Token.closeObject) {
    if (members.length > 0) {
      if (tokens.kind !== Token.comma) throw notJson();
      moveOn(tokens);
    }
    const name = readName(text, tokens);
    expectToken(tokens, Token.colon);
    members.push({ name, ...(yield* skipValue(tokens)) });
    if (members.length % MEMBERS_PER_SLICE === 0) yield;
    if (members.length > MAX_MEMBERS) throw priceListError(`has more than ${MAX_MEMBERS} entries`);
    moveOn(tokens);
  }
  if (tokens.next()) throw notJson();
  return members;
}

export const notJson = () => priceListError("is not complete JSON, or not an object of objects");

function moveOn(tokens: JsonTokens): void {
  if (!tokens.next()) throw notJson();
}

function expectToken(tokens: JsonTokens, kind: number): void {
  moveOn(tokens);
  if (tokens.kind !== kind) throw notJson();
}

function readName(text: Buffer, { kind, start, end }: JsonTokens): string {
  if (kind !== Token.string) throw notJson();
  try {
    return readString(text, { start, end });
  } catch {
    throw notJson();
  }
}

/** Moves to the last token of the next value, and returns its place. */
function* skipValue(tokens: JsonTokens): SlicedWork<Span> {
  moveOn(tokens);
  const { start } = tokens;
  let depth = 0;
  for (let count = 1; ; count += 1) {
    const { kind } = tokens;
    if (kind === Token.openObject || kind === Token.openArray) depth += 1;
    if (kind === Token.closeObject || kind === Token.closeArray) depth -= 1;
    if (depth <= 0 && kind !== Token.part) return { start, end: tokens.end };
    if (kind === Token.part || count % TOKENS_PER_SLICE === 0) yield;
    moveOn(tokens);
  }
}
