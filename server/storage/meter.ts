import { createHash } from "node:crypto";
import { AppError } from "../errors";
import type { Stored } from "./storage";

/** Counts and digests a content on its way through, and ends it with `payload_too_large` once `limit` is passed. */
export function meterContent(content: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash("sha256");
  let size = 0;
  let fault: Error | undefined;
  const source: AsyncIterator<Uint8Array, unknown> = content[Symbol.asyncIterator]();
  const note = (error: Error): never => {
    fault = error;
    throw error;
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        // Only here: what is thrown into a `yield` is the reader's, who gave up.
        const { done, value } = await source.next().catch(note);
        if (done) return;
        size += value.byteLength;
        if (size > limit) {
          note(new AppError("payload_too_large", `The file may have at most ${limit.toLocaleString("en")} bytes.`));
        }
        hash.update(value);
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return {
    chunks: chunks(),
    /** Returns why the source broke; undefined while it did not. */
    fault: () => fault,
    stored: (): Stored => ({ size, sha256: hash.digest() }),
  };
}
