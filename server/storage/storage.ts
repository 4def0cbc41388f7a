import type { Readable } from "node:stream";

export interface Stored {
  size: number;
  sha256: Buffer;
}

/** Inclusive byte positions. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Stores content by key: the file's id, and `<id>.w128` for its thumbnail of that width. Disk and S3 behave the same; both reject with StorageUnavailable on failure. */
export interface Storage {
  /**
   * Stores content atomically: readers never see a partial file, and the key's previous content stays until the new one
   * is complete. Rejects with AppError `payload_too_large` above `limit` bytes, and with the error of the source if that
   * fails.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, limit?: number): Promise<Stored>;
  /** Opens content or a range of it; null when the key does not exist. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes content; succeeds when the key does not exist. */
  remove(key: string): Promise<void>;
  /** Deletes unfinished content that was last written before `before`. */
  sweep(before: Date): Promise<void>;
  /** Rejects with StorageUnavailable when the storage knows that it has no room for new content. */
  checkRoom(): Promise<void>;
  /** Resolves when the storage is reachable. */
  check(): Promise<void>;
}

/** Thrown when the storage is full or unreachable; the reason is in `cause`. The message may be shown to customers. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";
}

const KEY_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\.w\d{3})?$/;
export const ID_LENGTH = 36;

/** Returns the key. Throws a RangeError unless it has this form, so that no key can escape the storage's folder or prefix. */
export function checkKey(key: string): string {
  if (!KEY_PATTERN.test(key))
    throw new RangeError("a storage key must be a UUID in lower case, with or without a width");
  return key;
}
