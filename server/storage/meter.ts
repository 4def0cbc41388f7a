import { createHash } from "node:crypto";
import { fileTooLarge } from "../errors";
import type { Stored } from "./storage";

/** Passes content through, counts and hashes it, and throws `payload_too_large` once `limit` bytes are exceeded. */
export function meterContent(content: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash("sha256");
  let size = 0;
  let sourceError: Error | undefined;
  const source: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]();
  const failWith = (error: Error): never => {
    sourceError = error;
    throw error;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        // Only errors of the source are recorded here: an error at a `yield` comes from the reader.
        const { done, value } = await source.next().catch(failWith);
        if (done) return;
        size += value.byteLength;
        if (size > limit) failWith(fileTooLarge(limit));
        hash.update(value);
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return {
    chunks: chunks(),
    /** Returns the error of the source, or undefined. */
    sourceError: () => sourceError,
    stored: (): Stored => ({ size, sha256: hash.digest() }),
  };
}
