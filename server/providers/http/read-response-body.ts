import type { Dispatcher } from "undici";
import { concatBytes } from "../../lib/concat-bytes";
import { type JsonBounds, JsonScanner } from "../../lib/json/scanner";

/** Limits for an untrusted response, enforced before it is parsed. */
export interface ResponseBounds extends JsonBounds {
  maxBytes: number;
}

/** Thrown when a response exceeds its bounds in bytes, depth or number of values. */
export class ResponseTooLarge extends Error {
  override readonly name = "ResponseTooLarge";
}

/**
 * Reads the bytes of a response. Rejects with ResponseTooLarge at the first byte that breaks a bound, or for which
 * `reserve` has no memory left; one that waits for memory pauses the response.
 */
export async function readResponseBody(
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  bounds: ResponseBounds,
  reserve: (bytes: number) => boolean | Promise<boolean> = () => true,
): Promise<Uint8Array<ArrayBuffer>> {
  const scanner = new JsonScanner(bounds);
  const chunks: Uint8Array[] = [];
  // A response that declares too large a size is rejected before it is read.
  let size = Number(headers["content-length"]) > bounds.maxBytes ? Infinity : 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bounds.maxBytes || scanner.push(chunk)) throw new ResponseTooLarge();
      const isReserved = reserve(chunk.length);
      if (!(typeof isReserved === "boolean" ? isReserved : await isReserved)) throw new ResponseTooLarge();
      chunks.push(chunk);
    }
  } finally {
    // Closes the connection of a server that would keep sending.
    body.on("error", () => undefined).destroy();
  }
  return joinChunks(chunks, size);
}

/** Bytes that are copied before others get the event loop. */
const PIECE_BYTES = 4 * 1024 * 1024;

async function joinChunks(chunks: Uint8Array[], size: number): Promise<Uint8Array<ArrayBuffer>> {
  if (size <= PIECE_BYTES) return concatBytes(chunks, size);
  const whole = new Uint8Array(size);
  let copied = 0;
  let pauseAt = PIECE_BYTES;
  for (const chunk of chunks) {
    whole.set(chunk, copied);
    copied += chunk.byteLength;
    if (copied < pauseAt) continue;
    pauseAt = copied + PIECE_BYTES;
    await new Promise(setImmediate);
  }
  return whole;
}
