import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";
import { OutboundError } from "./outbound-error";

/** Passes a body on to its end or to `maxBytes` after decompression, where it fails or is cut. */
export async function* boundBody(
  body: Readable,
  encoding: string | undefined,
  { maxBytes, whenLarger = "fail" }: { maxBytes: number; whenLarger?: "fail" | "cut" },
): AsyncGenerator<Buffer> {
  let remainingBytes = maxBytes;
  let last: Buffer | undefined;
  for await (const chunk of decodeBody(body, encoding) as AsyncIterable<Buffer>) {
    if (chunk.length > remainingBytes) {
      if (whenLarger === "fail") throw tooLarge(maxBytes);
      last = chunk.subarray(0, remainingBytes);
      break;
    }
    yield chunk;
    remainingBytes -= chunk.length;
  }
  // The decoder has ended already, and does not fill its buffers meanwhile.
  if (last) yield last;
}

export const tooLarge = (maxBytes: number) =>
  new OutboundError("too_large", `The response is larger than ${maxBytes} bytes.`);

/** Returns all of a body at once. */
export async function readBody(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decodeBody(body: Readable, encoding = "identity"): Readable {
  const decoder = decoders[encoding.trim().toLowerCase()];
  if (!decoder) throw new OutboundError("broken", "The response has an unknown content encoding.");
  const stream = decoder();
  return stream ? pipeline(body, stream, () => undefined) : body;
}

// HTTP's framing shows whether a body is complete, so an empty or truncated stream is no error of the decoder.
const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Record<string, (() => ReturnType<typeof createUnzip>) | (() => null)> = {
  identity: () => null,
  "": () => null,
  gzip: () => createUnzip(zlib),
  "x-gzip": () => createUnzip(zlib),
  deflate: () => createUnzip(zlib),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
