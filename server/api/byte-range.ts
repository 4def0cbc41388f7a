/** Inclusive positions. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that a Range header asks of `size` bytes (RFC 9110, section 14): null for the whole, which is also
 * the answer to several ranges and to anything malformed; `unsatisfiable` when it begins behind the end.
 */
export function parseByteRange(header: string | null, size: number): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i.exec(header ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "") {
    if (last === "") return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}
