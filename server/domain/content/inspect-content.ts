import type { ProviderUpload } from "../../providers/provider";
import { fileExtension } from "./file-name";
import { typeByMagicBytes } from "./magic-bytes";

const HEAD_BYTES = 64 * 1024;

/** A content with its first bytes, which have been read ahead. */
export interface InspectedContent {
  /** At most 64 KiB. */
  head: Buffer;
  /** The media type that the first bytes show; null when they show none. */
  type: string | null;
  /** All of the content. */
  content: AsyncIterable<Uint8Array>;
}

/** Reads the first bytes of a content ahead and returns what they show. */
export async function inspectContent(content: AsyncIterable<Uint8Array>): Promise<InspectedContent> {
  const iterator: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
    size += next.value.length;
  }
  const head = Buffer.concat(chunks).subarray(0, HEAD_BYTES);
  return { head, type: typeByMagicBytes(head), content: resume(chunks, iterator) };
}

async function* resume(chunks: Uint8Array[], iterator: AsyncIterator<Uint8Array, unknown>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
    chunks.length = 0;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

/** Returns a file for a provider, with the media type that its content shows and a name that ends accordingly. */
export function describeContent(content: Buffer): ProviderUpload {
  const mediaType = typeByMagicBytes(content) ?? "application/octet-stream";
  return { content, mediaType, name: `input.${fileExtension(mediaType)}` };
}
