import { Readable } from "node:stream";
import { AppError } from "../errors";

const MAX_BUFFERED_BYTES = 64 * 1024;

/** Positions of the first and last byte, inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

interface RangedContent {
  size: number;
  headers: Record<string, string>;
  /** Opens the range, or the whole content without one. */
  open: (range?: ByteRange) => Promise<Readable>;
}

/** Returns a result with the content, or the range of it that `readRange` has returned. A HEAD gets only the headers. */
export async function serveRange({ method }: Request, range: ByteRange | null, { size, headers, open }: RangedContent) {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      "Accept-Ranges": "bytes",
      "Content-Length": String(end - start + 1),
      ...(range && { "Content-Range": `bytes ${start}-${end}/${size}` }),
    },
    content: method === "HEAD" ? null : streamBytes(await open(range ?? undefined)),
  };
}

/**
 * Returns content as a stream. Its queue is limited by bytes, so that a slow client pauses the read from storage instead of
 * filling memory.
 */
export function streamBytes(content: Readable): ReadableStream {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES });
  return Readable.toWeb(content, { strategy }) as ReadableStream<unknown> as ReadableStream;
}

/** Returns the range that a request asks for; null for the whole content. Throws a 416 if the content does not have it. */
export function readRange({ method, headers }: Request, etag: string, size: number): ByteRange | null {
  if (method === "HEAD" || !isSameContent(headers.get("if-range"), etag)) return null;
  const range = parseByteRange(headers.get("range"), size);
  if (range !== "unsatisfiable") return range;
  const contentRange = { "Content-Range": `bytes */${size}` };
  throw new AppError("range_not_satisfiable", `The file has ${size} bytes.`, {}, contentRange);
}

const isSameContent = (condition: string | null, etag: string): boolean =>
  condition === null || condition.trim() === etag;

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
