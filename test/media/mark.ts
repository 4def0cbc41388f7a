import { type MarkedContent, markContent } from "../../server/domain/marks/mark-content";

/** Yields a content in pieces of at most this many bytes. */
export async function* piecesOf(content: Buffer, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

/** Returns the content that the hub stores for an output of this model, and what is known of its mark. */
export async function markBuffer(
  content: Buffer,
  mediaType: string,
  { model = "sandbox-image", pieceSize }: { model?: string; pieceSize?: number } = {},
): Promise<{ content: Buffer } & ReturnType<MarkedContent["result"]>> {
  const marked = markContent(piecesOf(content, pieceSize), mediaType, model);
  const chunks: Uint8Array[] = [];
  for await (const chunk of marked.chunks) chunks.push(chunk);
  return { content: Buffer.concat(chunks), ...marked.result() };
}
