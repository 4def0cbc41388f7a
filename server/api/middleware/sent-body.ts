import { type Ctx, runBodyWork, runSlicedBodyWork } from "../../context";
import { invalidInput } from "../../errors";
import { placeOf } from "../../lib/issues";
import { findPlaces, markIntegers, type SentJson, type Span } from "../../lib/json/sent-json";
import { findRepeatedMember } from "../../lib/json/walk-text";
import { parseJson } from "./json";

type Bytes = Uint8Array<ArrayBuffer>;
type Pace = Pick<Ctx, "hub" | "isLarge">;

/** A body that is forwarded as sent. */
export interface SentBody {
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns how many values a parsed value has: fewer than its text if members are repeated. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) count += countValues(member);
  return count;
}
