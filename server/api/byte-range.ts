/** The first and last byte of a range, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the range that a Range header requests of `size` bytes (RFC 9110, section 14). Returns null, for the whole
 * content, without a header, for several ranges and for a malformed one; `unsatisfiable` if the range starts past the end.
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
