import { Readable } from "node:stream";
import type { Hub } from "../context";
import type { FileRow } from "../domain/files/file";
import { openContent } from "../domain/files/open";
import { AppError } from "../errors";
import { type ByteRange, parseByteRange } from "./byte-range";
import type { HandlerResult } from "./operation";

const SHOWN = /^(image|audio|video)\//;
const CHUNK = 64 * 1024;

/** The content of a file as HTTP has it: whole or a range, or 304 for who has it already (RFC 9110, sections 13 and 14). */
export async function serveContent(
  hub: Hub,
  file: FileRow,
  { method, headers: asked }: Request,
): Promise<HandlerResult> {
  const etag = `"${file.sha256.toString("hex")}"`;
  const size = Number(file.size);
  const headers: Record<string, string> = {
    ETag: etag,
    "Cache-Control": "private",
    "Content-Type": file.media_type,
    "Content-Disposition": SHOWN.test(file.media_type) ? "inline" : "attachment",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
  };
  if (names(asked.get("if-none-match"), etag)) return { status: 304, headers, content: null };

  const whole = method === "HEAD" || !sameContent(asked.get("if-range"), etag);
  const range = whole ? null : parseByteRange(asked.get("range"), size);
  if (range === "unsatisfiable") {
    throw new AppError(
      "range_not_satisfiable",
      `The file has ${size} bytes.`,
      {},
      { "Content-Range": `bytes */${size}` },
    );
  }
  headers["Content-Length"] = String(range ? range.end - range.start + 1 : size);
  if (range) headers["Content-Range"] = `bytes ${range.start}-${range.end}/${size}`;
  const content = method === "HEAD" ? null : await stream(hub, file, range ?? undefined);
  return { status: range ? 206 : 200, headers, content };
}

// Any byte that waits to be sent is counted, so that a slow reader holds back the storage and not our memory.
async function stream(hub: Hub, file: FileRow, range?: ByteRange) {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: CHUNK });
  return Readable.toWeb(await openContent(hub, file, range), { strategy }) as ReadableStream<unknown> as ReadableStream;
}

const names = (list: string | null, etag: string): boolean =>
  list !== null &&
  list.split(",").some((entry) => /^(W\/)?(.*)$/.exec(entry.trim())![2] === etag || entry.trim() === "*");

const sameContent = (condition: string | null, etag: string): boolean =>
  condition === null || condition.trim() === etag;
