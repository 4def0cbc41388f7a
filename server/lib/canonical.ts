import { createHash, type Hash } from "node:crypto";
import stringify from "safe-stable-stringify";
import type { SlicedWork } from "./slices";

/** Returns the SHA-256 of canonical JSON: the order of members does not matter, everything else does. */
export const hashCanonicalJson = (value: unknown): Buffer =>
  createHash("sha256")
    .update(stringify(value) ?? "null")
    .digest();

/** Returns the same hash of a JSON value as `hashCanonicalJson`, by work that pauses. */
export function* hashInSlices(value: unknown): SlicedWork<Buffer> {
  const hash = createHash("sha256");
  const writer = createWriter(hash);
  yield* writeValue(writer, value);
  writer.flush();
  return hash.digest();
}

/** Characters that are written before work may pause. */
const PIECE_LENGTH = 64 * 1024;

function createWriter(hash: Hash) {
  let text = "";
  const flush = () => {
    hash.update(text);
    text = "";
  };
  return {
    /** Returns whether so much has been written that the work should pause. */
    write(piece: string): boolean {
      text += piece;
      if (text.length < PIECE_LENGTH) return false;
      flush();
      return true;
    },
    flush,
  };
}

type Writer = ReturnType<typeof createWriter>;

function* writeValue(writer: Writer, value: unknown): SlicedWork<void> {
  if (typeof value === "string") return yield* writeString(writer, value);
  if (typeof value !== "object" || value === null) {
    if (writer.write(JSON.stringify(value))) yield;
    return;
  }
  const isArray = Array.isArray(value);
  const keys = isArray ? value.keys() : Object.keys(value).sort();
  let separator = isArray ? "[" : "{";
  for (const key of keys) {
    writer.write(separator);
    separator = ",";
    if (typeof key === "string") {
      yield* writeString(writer, key);
      writer.write(":");
    }
    yield* writeValue(writer, (value as Record<PropertyKey, unknown>)[key]);
  }
  if (writer.write((separator === "," ? "" : separator) + (isArray ? "]" : "}"))) yield;
}

/** Writes a string in pieces that never split a surrogate pair. */
function* writeString(writer: Writer, value: string): SlicedWork<void> {
  if (value.length <= PIECE_LENGTH) {
    if (writer.write(JSON.stringify(value))) yield;
    return;
  }
  writer.write('"');
  for (const piece of cutString(value, PIECE_LENGTH)) if (writer.write(JSON.stringify(piece).slice(1, -1))) yield;
  writer.write('"');
}

/** Yields pieces of a string that never split a surrogate pair. */
export function* cutString(value: string, length: number): Generator<string> {
  for (let start = 0; start < value.length;) {
    const end = start + length;
    const isWithinPair = /[\ud800-\udbff]/.test(value[end - 1] ?? "");
    const cutAt = isWithinPair ? end - 1 : end;
    yield value.slice(start, cutAt);
    start = cutAt;
  }
}
