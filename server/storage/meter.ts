import { createHash } from "node:crypto";
import { AppError } from "../errors";
import type { Stored } from "./storage";

/** Counts and digests a content on its way through, and ends it with `payload_too_large` once `limit` is passed. */
export function meter(content: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash("sha256");
  let size = 0;
  let fault: Error | undefined;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of content) {
        size += chunk.byteLength;
        if (size > limit) {
          throw new AppError("payload_too_large", `The file may have at most ${limit.toLocaleString("en")} bytes.`);
        }
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      fault = error as Error;
      throw error;
    }
  }
  return {
    chunks: chunks(),
    /** Why the source broke; undefined while it did not. */
    fault: () => fault,
    stored: (): Stored => ({ size, sha256: hash.digest() }),
  };
}
