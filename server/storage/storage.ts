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

/** Content by key (the file's id). Disk and S3 keep the same promises; when they cannot, they reject with StorageAway. */
export interface Storage {
  /**
   * Streams content in, whole or not at all: a reader never sees half a file, an old content of the key stays
   * until the new one is complete. Rejects with AppError `payload_too_large` once `limit` bytes are passed, and with
   * the source's own error when that breaks.
   */
  put(key: string, content: AsyncIterable<Uint8Array>, limit?: number): Promise<Stored>;
  /** Null when there is no such content. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removing what is not there succeeds. */
  remove(key: string): Promise<void>;
  /** Discards what a crash left of unfinished puts, untouched since `before`. */
  sweep(before: Date): Promise<void>;
  /** Rejects with StorageAway when there is no room for new content, as far as the storage can tell. */
  checkRoom(): Promise<void>;
  /** Resolves when the storage can be reached. */
  check(): Promise<void>;
}
