import type { Dispatcher } from "undici";
import { concatInSlices } from "../../lib/concat-bytes";
import { type JsonBounds, JsonScanner } from "../../lib/json/scanner";
import { runAtOnce, runInSlices } from "../../lib/slices";

/** Limits for an untrusted response, enforced before it is parsed. */
export interface ResponseBounds extends JsonBounds {
  maxBytes: number;
}

/** Responses up to this size are joined without pauses. */
const SMALL_BYTES = 4 * 1024 * 1024;

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
  const work = concatInSlices(chunks, size);
  return size <= SMALL_BYTES ? runAtOnce(work) : runInSlices(work);
}
