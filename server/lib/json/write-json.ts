import { concatInSlices } from "../concat-bytes";
import { cutText } from "../cut-text";
import type { SlicedWork } from "../slices";

/** Characters that are written before work may pause. */
const PIECE_LENGTH = 64 * 1024;

/** Returns the JSON of a value in UTF-8. */
export function* encodeJson(value: unknown): SlicedWork<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  yield* writeJson(value, (text) => pieces.push(Buffer.from(text)));
  return yield* concatInSlices(pieces);
}

/**
 * Passes the JSON of a value to `push`, piece by piece. Members without a value are left out, as by `JSON.stringify`;
 * `listNames` returns the names of an object's members in their order.
 */
export function* writeJson(
  value: unknown,
  push: (text: string) => void,
  listNames: (value: object) => string[] = Object.keys,
): SlicedWork<void> {
  const writer = createWriter(push, listNames);
  yield* writeValue(writer, value);
  writer.flush();
}

function createWriter(push: (text: string) => void, listNames: (value: object) => string[]) {
  let text = "";
  const flush = () => {
    push(text);
    text = "";
  };
  return {
    listNames,
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
  if (typeof value === "string") yield* writeString(writer, value);
  else if (typeof value === "object" && value !== null)
    yield* writeMembers(writer, value as Record<PropertyKey, unknown>);
  else if (writer.write(JSON.stringify(value) ?? "null")) yield;
}

function* writeMembers(writer: Writer, value: Record<PropertyKey, unknown>): SlicedWork<void> {
  const isArray = Array.isArray(value);
  const keys = isArray ? value.keys() : writer.listNames(value).filter((name) => value[name] !== undefined);
  let separator = isArray ? "[" : "{";
  for (const key of keys) {
    writer.write(separator);
    separator = ",";
    if (typeof key === "string") {
      yield* writeString(writer, key);
      writer.write(":");
    }
    yield* writeValue(writer, value[key]);
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
    const piece = cutText(value.slice(start), length);
    yield piece;
    start += piece.length;
  }
}
