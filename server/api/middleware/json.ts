import { setImmediate as startNextTurn } from "node:timers/promises";
import { type Ctx, runBodyWork, runSlicedBodyWork } from "../../context";
import type { Hub } from "../../domain/hub";
import { type AppError, invalidInput } from "../../errors";
import { cutText } from "../../lib/cut-text";
import { placeOf } from "../../lib/issues";
import type { JsonCodec } from "../../lib/json/codec";
import { findPlaces, markIntegers, type SentJson, type Span } from "../../lib/json/sent-json";
import { isObject } from "../../lib/is-object";
import { isStorable } from "../../lib/json/storable";
import { findRepeatedMember } from "../../lib/json/walk-text";

export const MAX_DEPTH = 64;

/**
 * Parses JSON that can be stored and returned unchanged (contract, General). Rejects with 400 and the location. With
 * `allowsRounding`, for callers that keep the text, large integers are accepted and rounded.
 */
export async function parseJson(
  codec: JsonCodec,
  bytes: Uint8Array<ArrayBuffer>,
  { allowsRounding = false } = {},
): Promise<unknown> {
  const size = bytes.byteLength;
  if (size === 0) throw invalidInput("body", "is empty; send a JSON object");
  let value: unknown;
  try {
    value = await codec.parse(bytes, { fatal: true });
  } catch (error) {
    throw (error as Error).name === "TypeError"
      ? invalidInput("body", "must be UTF-8")
      : invalidInput("body", `is not JSON: ${describeSyntaxError(error)}`);
  }
  // A large value was just copied from another thread, which may take as long as the checks.
  if (bytes.byteLength < size) await startNextTurn();
  checkStorable(value, [], allowsRounding);
  return value;
}

// V8 quotes the text around the error, which may be long.
const describeSyntaxError = (error: unknown) =>
  cutText((error as Error).message.replace(/[\0\p{Surrogate}]/gu, "�"), 120);

function checkStorable(value: unknown, path: PropertyKey[], allowsRounding: boolean): void {
  if (typeof value === "number") checkNumber(value, path, allowsRounding);
  else if (typeof value === "string") {
    if (!isStorable(value)) throw valueError(path, "must not hold \\u0000 or half a surrogate pair");
  } else if (typeof value === "object" && value !== null) {
    // All calls share one path: a copy for each value would take longer than parsing.
    const check = (member: unknown, step: PropertyKey) => {
      path.push(step);
      checkStorable(member, path, allowsRounding);
      path.pop();
    };
    if (Array.isArray(value)) value.forEach(check);
    else for (const name of Object.keys(value)) check(checkNamedMember(value, name, path), name);
  }
}

function checkNamedMember(owner: object, name: string, path: PropertyKey[]): unknown {
  if (name === "__proto__") throw valueError([...path, name], "is not allowed as a name");
  if (!isStorable(name)) throw valueError(path, "has a name with \\u0000 or half a surrogate pair");
  return (owner as Record<string, unknown>)[name];
}

function checkNumber(value: number, path: PropertyKey[], allowsRounding: boolean): void {
  if (!Number.isFinite(value)) throw valueError(path, "is not a finite number");
  if (!allowsRounding && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw valueError(path, "is an integer that cannot be kept exactly; send it as a string");
  }
}

const valueError = (path: PropertyKey[], message: string): AppError => invalidInput(placeOf(path), message);

type Bytes = Uint8Array<ArrayBuffer>;
type Pace = Pick<Ctx<Hub>, "hub" | "isLarge">;

/** A body that is forwarded as sent. */
interface SentBody {
  /** Null unless the body is an object. */
  sent: SentJson | null;
  /** The value with its integers as exact strings; the parsed value if it has none to mark. */
  exact: unknown;
  value: unknown;
}

/**
 * Parses a body and keeps its text, whose numbers may be larger than can be parsed exactly. Rejects with 400 and the
 * location, also when a member is repeated: another reader of the text might take the other one. `values` is how many
 * values the text has.
 */
export async function parseSentBody(pace: Pace, bytes: Bytes, values: number): Promise<SentBody> {
  const { hub, isLarge } = pace;
  // The parser may transfer the buffer to another thread.
  const { buffer, byteOffset, byteLength } = isLarge ? bytes.slice() : bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength);
  const value = await parseJson(hub.json, bytes, { allowsRounding: true });
  if ((await runBodyWork(pace, () => countValues(value))) < values) {
    const path = await runSlicedBodyWork(pace, () => findRepeatedMember(text));
    throw invalidInput(placeOf(path ?? []), "is given more than once");
  }
  if (!isObject(value)) return { sent: null, exact: value, value };
  const { members, integers } = await runSlicedBodyWork(pace, () => findPlaces(text));
  const exact = integers.length === 0 ? null : await parseExact(pace, text, integers);
  return { sent: { text, value, members, exact }, exact: exact ?? value, value };
}

/** Parses a text with its integers as strings. */
async function parseExact(pace: Pace, text: Buffer, integers: Span[]): Promise<SentJson["exact"]> {
  const marked = await runSlicedBodyWork(pace, () => markIntegers(text, integers));
  return (await pace.hub.json.parse(marked, { fatal: true })) as SentJson["exact"];
}

/** Returns how many values a parsed value has: fewer than its text if members are repeated. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) count += countValues(member);
  return count;
}
