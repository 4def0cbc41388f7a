import type { UnmarkedReason } from "./mark";

/** Thrown by a scan when the file must be stored unchanged. */
export class Unmarkable extends Error {
  override name = "Unmarkable";
  constructor(readonly reason: UnmarkedReason) {
    super(reason);
  }
}

/**
 * What a scan needs next: `read` returns this many bytes (with `orEnd`, none at the end of the file), `skip` ignores this many,
 * and `last` ignores everything but the file's last bytes. A file that ends too early is unreadable.
 */
export type Step = { read: number; orEnd?: boolean } | { skip: number } | { last: number };
export type Steps<Result> = Generator<Step, Result, Buffer>;

/** The file that a scan walks through. */
export interface ScannedFile {
  /** How many bytes have been read or skipped. */
  readonly position: number;
  /**
   * Replaces `remove` bytes at `at` with others. Edits are made in the order of their positions, and none before the last
   * read, except in the first 256 KiB.
   */
  edit(at: number, remove: number, insert: Buffer): void;
}

/**
 * Walks through the structure of one container format and places the XMP packet. Runs in one pass over a stream. Throws
 * Unmarkable.
 */
export type Scan = (file: ScannedFile, xmp: Buffer) => Steps<void>;

/** Reads exactly `length` bytes. */
export function* readBytes(length: number): Steps<Buffer> {
  return yield { read: length };
}

/** Reads exactly `length` bytes; returns null at the end of the file. */
export function* readOrEnd(length: number): Steps<Buffer | null> {
  const bytes = yield { read: length, orEnd: true };
  return bytes.length === 0 ? null : bytes;
}

/** Skips exactly `length` bytes. */
export function* skipBytes(length: number): Steps<void> {
  yield { skip: length };
}

/** Skips to the end of the file and returns its last bytes. */
export function* readLast(length: number): Steps<Buffer> {
  return yield { last: length };
}

/** Reads at most `length` bytes from the start of a part with `partLength` bytes, and skips its rest and `padding`. */
export function* readStart(length: number, partLength: number, padding = 0): Steps<Buffer> {
  const start = yield* readBytes(Math.min(length, partLength));
  yield* skipBytes(partLength - start.length + padding);
  return start;
}

/** Throws Unmarkable unless the structure is as expected. */
export function expectStructure(isExpected: boolean): void {
  if (!isExpected) throw new Unmarkable("unreadable");
}
