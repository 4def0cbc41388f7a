import { expectStructure, readBytes, readOrEnd, type ScannedFile, type Steps } from "./scan";

const MAX_SIZE = 0xfffffffe;
const SIZE_AT = 4;
const HEADER_BYTES = 12;
/** Programs that write to a stream do not know the size beforehand. */
const isUnknown = (size: number) => size === 0 || size === 0xffffffff;

/** The header of a RIFF file. */
export interface RiffHeader {
  /** The size that follows the header; null if its writer did not know. */
  size: number | null;
}

/** The header of a chunk, whose content follows. */
interface RiffChunk {
  id: string;
  size: number;
  /** Where the header begins. */
  at: number;
  isOfUnknownSize: boolean;
}

/** Reads the header of a RIFF file of this form. */
export function* readRiff(form: string): Steps<RiffHeader> {
  const header = yield* readBytes(HEADER_BYTES);
  const size = header.readUInt32LE(SIZE_AT);
  expectStructure(header.toString("latin1", 0, SIZE_AT) === "RIFF" && header.toString("latin1", 8) === form);
  if (isUnknown(size)) return { size: null };
  expectStructure(size % 2 === 0);
  return { size };
}

/** Adds `growth` bytes to the size in the header, unless it is unknown. */
export function growRiff(file: ScannedFile, { size }: RiffHeader, growth: number): void {
  if (size === null) return;
  expectStructure(size + growth <= MAX_SIZE);
  const grown = Buffer.alloc(4);
  grown.writeUInt32LE(size + growth);
  file.edit(SIZE_AT, grown.length, grown);
}

/** Reads the header of the next chunk; null at the end of the file. */
export function* readChunk(file: ScannedFile, { size: fileSize }: RiffHeader): Steps<RiffChunk | null> {
  const at = file.position;
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
