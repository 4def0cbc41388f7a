import { Readable } from "node:stream";
import { StorageUnavailable } from "./storage";

/** How long a storage may pause within content before the read fails. */
export const MAX_SILENCE_MS = 15_000;

/**
 * Returns the content of a stream, which fails with StorageUnavailable when it ends before or after `size` bytes, or when
 * the source sends nothing for `silenceMs` while the reader waits. A reader that takes its time is not limited.
 */
export const readExactly = (source: Readable, size: number, silenceMs = MAX_SILENCE_MS): Readable =>
  Readable.from(passChunks(source, size, silenceMs), { objectMode: false });

async function* passChunks(source: Readable, size: number, silenceMs: number): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let left = size;
  try {
    for (;;) {
      const timer = setTimeout(() => source.destroy(new Error(`nothing was sent for ${silenceMs} ms`)), silenceMs);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) break;
      left -= value.length;
      if (left < 0) break;
      yield value;
    }
  } catch (cause) {
    throw new StorageUnavailable("The storage does not respond.", { cause });
  } finally {
    // Destroying it may emit an error, to which nobody else listens.
    source.on("error", () => undefined).destroy();
  }
  if (left !== 0) throw incompleteContent();
}

/** Returns the error for content of another size than was stored. */
export const incompleteContent = () => new StorageUnavailable("The storage sends other content than was stored.");
