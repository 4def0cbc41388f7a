import { isPicture, type Picture, readPicture } from "./picture";
import { MAX_PICTURE_MEMORY_BYTES, withPictureMemory } from "./picture-memory";
import { runPictureTask } from "./picture-thread";

/** Limits the height of narrow pictures. */
const MAX_HEIGHT_RATIO = 4;

/** Thrown for content that is not a picture, is broken, or would take too much memory or time to decode. */
export class UnreadablePicture extends Error {
  override readonly name = "UnreadablePicture";
  /** Whether a retry on a less busy machine may succeed. */
  get isTransient(): boolean {
    return this.cause instanceof Error && this.cause.message.startsWith("timeout");
  }
}

/**
 * Returns a picture as WebP of at most `width` pixels and four times that height, upright, never enlarged, without
 * metadata, and only the first frame. The content's buffer may be taken away. Throws UnreadablePicture, also for a picture whose
 * decoder would take more than `maxDecodedBytes`, and the signal's reason while it waits for memory.
 */
export async function shrinkPicture(
  content: Buffer,
  width: number,
  signal: AbortSignal,
  maxDecodedBytes = MAX_PICTURE_MEMORY_BYTES,
): Promise<Buffer> {
  if (!isPicture(content)) throw new UnreadablePicture("not a picture");
  const picture = await readPicture(content).catch(throwUnreadable);
  if (picture.decodedBytes > maxDecodedBytes) throw new UnreadablePicture("too large to decode");
  return withPictureMemory(picture.decodedBytes, () => encodeSmaller(picture, width), signal);
}

async function encodeSmaller({ content }: Picture, width: number): Promise<Buffer> {
  const options = { width, maxHeight: width * MAX_HEIGHT_RATIO };
  const smaller = await runPictureTask("thumbnail", content, options).catch(throwUnreadable);
  return Buffer.from(smaller.content.buffer, smaller.content.byteOffset, smaller.content.byteLength);
}

function throwUnreadable(cause: unknown): never {
  throw new UnreadablePicture("not decoded", { cause });
}
