import type { Dispatcher } from "undici";
import { concatBytes } from "../../lib/concat-bytes";
import { type JsonBounds, JsonScanner } from "../../lib/json/scanner";

/** What is read of an answer at most: it comes from outside, and is bounded before anything is made of it. */
export interface ResponseBounds extends JsonBounds {
  maxBytes: number;
}

/** Raised when an answer is larger or deeper, or holds more, than any client could use. */
export class ResponseTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
}

/**
 * Reads the bytes of an answer. Rejects with AnswerTooLarge at the first byte that breaks a bound, or for which
 * `reserve` has no memory left.
 */
export async function readResponseBody(
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  bounds: ResponseBounds,
  reserve: (bytes: number) => boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const scanner = new JsonScanner(bounds);
  const chunks: Uint8Array[] = [];
  // What only says that it is too large need not come.
  let size = Number(headers["content-length"]) > bounds.maxBytes ? Infinity : 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bounds.maxBytes || scanner.push(chunk) || !reserve(chunk.length)) throw new ResponseTooLarge();
      chunks.push(chunk);
    }
  } finally {
    // Ends the connection of a sender who would go on.
    body.on("error", () => undefined).destroy();
  }
  return concatBytes(chunks, size);
}
