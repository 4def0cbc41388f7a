import type { UnmarkedReason } from "./mark";

/** Thrown by a scan for content that is to be stored unchanged. */
export class Unmarkable extends Error {
  override name = "Unmarkable";
  constructor(readonly reason: UnmarkedReason) {
    super(reason);
  }
}

/**
 * What a scan asks for next: so many bytes (with `orEnd`, none if the content ends here), to pass over so many, or to pass
 * over all of the rest except for its last bytes. Content that ends earlier is unreadable.
 */
export type Step = { read: number; orEnd?: boolean } | { skip: number } | { last: number };
export type Steps<Result> = Generator<Step, Result, Buffer>;

/** The content that a scan walks through. */
export interface ScannedContent {
  /** How many bytes were read or passed over. */
  readonly position: number;
  /**
   * Replaces `remove` bytes at a position with others. Positions ascend, and none is before the last read, except for the
   * first bytes of the content.
   */
  edit(at: number, remove: number, insert: Buffer): void;
}

/**
 * Walks through the structure of one container and places the XMP packet in it. It judges nothing that it has not read, so
 * that one pass over a stream suffices. Throws Unmarkable.
 */
export type Scan = (content: ScannedContent, xmp: Buffer) => Steps<void>;

/** Reads exactly so many bytes. */
export function* read(length: number): Steps<Buffer> {
  return yield { read: length };
}

/** Reads exactly so many bytes; null if the content ends here. */
export function* readOrEnd(length: number): Steps<Buffer | null> {
  const bytes = yield { read: length, orEnd: true };
  return bytes.length === 0 ? null : bytes;
}

/** Passes over exactly so many bytes. */
export function* skip(length: number): Steps<void> {
  yield { skip: length };
}

/** Passes over the rest and returns its last bytes. */
export function* readLast(length: number): Steps<Buffer> {
  return yield { last: length };
}

/** Throws Unmarkable unless the content ends here. */
export function* expectEnd(): Steps<void> {
  if ((yield* readOrEnd(1)) !== null) throw new Unmarkable("unreadable");
}

/** Throws Unmarkable unless the structure is as expected. */
export function expectStructure(isExpected: boolean): void {
  if (!isExpected) throw new Unmarkable("unreadable");
}

/**
 * Reads the first bytes of a part with this content length, at most `length`, and passes over its rest and `padding` bytes
 * after it.
 */
export function* readStart(length: number, contentLength: number, padding = 0): Steps<Buffer> {
  const start = yield* read(Math.min(length, contentLength));
  yield* skip(contentLength - start.length + padding);
  return start;
}
