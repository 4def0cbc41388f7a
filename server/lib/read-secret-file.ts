import { closeSync, openSync, readSync } from "node:fs";

const MAX_BYTES = 64 * 1024;

/**
 * Returns the text of a file that a setting names, without the line break at its end. Throws an Error with a reason for the
 * operator when it cannot be read. Synchronous, because settings are read before anything else.
 */
export function readSecretFile(file: string): string {
  const content = Buffer.alloc(MAX_BYTES + 1);
  const length = readStart(file, content);
  if (length > MAX_BYTES) throw new Error(`names ${file}, which has more than ${MAX_BYTES} bytes`);
  return content.toString("utf8", 0, length).replace(/\r?\n$/, "");
}

function readStart(file: string, content: Buffer): number {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    return readSync(descriptor, content);
  } catch (error) {
    throw new Error(`names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
