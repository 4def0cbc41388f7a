import { expectStructure, read, readOrEnd, type ScannedContent, type Steps } from "./scan";

const MAX_SIZE = 0xfffffffe;
const SIZE_AT = 4;
const HEADER_BYTES = 12;
/** A size that its writer did not know, because it wrote to a stream. */
const isUnknown = (size: number) => size === 0 || size === 0xffffffff;

/** The header of a RIFF file. */
export interface RiffFile {
  /** What it says of its own size; null if its writer did not know. */
  size: number | null;
}

/** The header of a chunk, whose content follows. */
export interface RiffChunk {
  id: string;
  size: number;
  /** Where the header begins. */
  at: number;
  isOfUnknownSize: boolean;
}

/** Reads the header of a RIFF file of this form. */
export function* readRiff(form: string): Steps<RiffFile> {
  const header = yield* read(HEADER_BYTES);
  const size = header.readUInt32LE(SIZE_AT);
  expectStructure(header.toString("latin1", 0, SIZE_AT) === "RIFF" && header.toString("latin1", 8) === form);
  if (isUnknown(size)) return { size: null };
  expectStructure(size % 2 === 0);
  return { size };
}

/** Adds so many bytes to the size in the header, unless that is unknown. */
export function growRiff(content: ScannedContent, { size }: RiffFile, growth: number): void {
  if (size === null) return;
  expectStructure(size + growth <= MAX_SIZE);
  const grown = Buffer.alloc(4);
  grown.writeUInt32LE(size + growth);
  content.edit(SIZE_AT, grown.length, grown);
}

/** Reads the header of the next chunk; null at the end of the file. */
export function* readChunk(content: ScannedContent, { size: fileSize }: RiffFile): Steps<RiffChunk | null> {
  const at = content.position;
  const header = yield* readOrEnd(8);
  const isEnd = fileSize === null ? header === null : at === SIZE_AT + 4 + fileSize;
  expectStructure(isEnd === (header === null));
  if (header === null) return null;
  const size = header.readUInt32LE(4);
  return { id: header.toString("latin1", 0, 4), size, at, isOfUnknownSize: isUnknown(size) };
}

/** Returns a chunk, padded to an even length. */
export function writeChunk(id: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}
