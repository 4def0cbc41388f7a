import type { Readable } from "node:stream";

export { StorageUnavailable } from "../lib/is-unavailable";

export interface Stored {
  size: number;
  sha256: Buffer;
}

/** Inclusive byte positions. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Stores content by key: the file's id, and `<id>.w128` for its thumbnail of that width. Disk and S3 behave the same; both
 * reject with StorageUnavailable on failure.
 */
export interface Storage {
  /**
   * Stores content atomically: readers never see a partial file, and the key's previous content stays until the new one
   * is complete. Rejects with AppError `payload_too_large` above `limit` bytes, and with the error of the source if that
   * fails.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, limit?: number): Promise<Stored>;
  /**
   * Opens content or a range of it; null when the key does not exist. Rejects with StorageUnavailable when the content is
   * known to have another size than `size`, or less than the range. A stream that ends early or stalls fails.
   */
  open(key: string, range?: ByteRange, size?: number): Promise<Readable | null>;
  /** Returns the size of content, and its hash if the storage verified it; null when the key does not exist. */
  describe(key: string): Promise<{ size: number; sha256: Buffer | null } | null>;
  /** Removes content; succeeds when the key does not exist. */
  remove(key: string): Promise<void>;
  /** Deletes unfinished content that was last written before `before`. */
  sweep(before: Date): Promise<void>;
  /** Rejects with StorageUnavailable when the storage is known to have no room for new content, or to be unreachable. */
  checkRoom(): Promise<void>;
  /** Resolves when the storage is reachable. */
  check(): Promise<void>;
  /** Direct access for clients; null if they cannot reach the storage. */
  direct: DirectAccess | null;
}

/** Requests that clients send straight to a bucket, signed by the hub. Staged content has its own id until it is published. */
export interface DirectAccess {
  /** Returns the PUT by which a client stages content; the signature covers its hash. */
  signUpload(id: string, content: Stored, seconds: number): Promise<{ url: string; headers: Record<string, string> }>;
  /** Returns the size of staged content; null when none has arrived. */
  measureStaged(id: string): Promise<number | null>;
  /** Copies staged content to a key, for which no client has ever had a signature. */
  publish(id: string, key: string): Promise<void>;
  /** Removes staged content; succeeds when there is none. */
  removeStaged(id: string): Promise<void>;
  /** Returns the address at which a client reads content, with these headers in the response. */
  signDownload(key: string, headers: { type: string; disposition: string }, seconds: number): Promise<string>;
}

const KEY_PATTERN = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?:\.w\d{3})?$/;
export const ID_LENGTH = 36;

/** Returns the key. Throws a RangeError unless it has this form, so that no key can escape the storage's folder or prefix. */
export function checkKey(key: string): string {
  if (!KEY_PATTERN.test(key))
    throw new RangeError("a storage key must be a UUID in lower case, with or without a width");
  return key;
}
