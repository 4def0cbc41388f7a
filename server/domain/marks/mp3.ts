import {
  expectStructure,
  readBytes,
  readLast,
  readStart,
  type ScannedFile,
  skipBytes,
  type Steps,
  Unmarkable,
} from "./scan";

const HEADER_BYTES = 10;
const MAX_TAG_BYTES = 0x0fffffff;
const OWNER = "XMP\0";
/** How much of a frame is examined: its owner, or the type of its object. */
const START_BYTES = 128;

/** Inserts a PRIV frame at the beginning of the ID3 tag, or a tag with that frame before the audio. */
export function* scanMp3(file: ScannedFile, xmp: Buffer): Steps<void> {
  const start = yield* readBytes(3);
  if (start.toString("latin1") !== "ID3") {
    const frame = writeFrame(xmp, 3);
    file.edit(0, 0, Buffer.concat([writeHeader(frame.length), frame]));
    yield* readLast(0);
    return;
  }
  const rest = yield* readBytes(HEADER_BYTES - 3);
  const version = rest[0]!;
  const size = readSynchsafe(rest, 3);
  // Unsynchronized tags, extended headers and footers are rare, and would have to be rewritten.
  expectStructure((version === 3 || version === 4) && rest[2] === 0 && size !== null);
  const frame = writeFrame(xmp, version);
  expectStructure(size! + frame.length <= MAX_TAG_BYTES);
  file.edit(6, 4, writeSynchsafe(size! + frame.length));
  file.edit(HEADER_BYTES, 0, frame);
  yield* readFrames(file, version, HEADER_BYTES + size!);
  const sync = yield* readBytes(2);
  expectStructure(sync[0] === 0xff && (sync[1]! & 0xe0) === 0xe0);
  yield* readLast(0);
}

/** Reads the frames of a tag that ends at a position, and the padding after them. */
function* readFrames(file: ScannedFile, version: number, end: number): Steps<void> {
  while (end - file.position >= HEADER_BYTES) {
    const header = yield* readBytes(HEADER_BYTES);
    const id = header.toString("latin1", 0, 4);
    if (id === "\0\0\0\0") break;
    const size = version === 4 ? readSynchsafe(header, 4) : header.readUInt32BE(4);
    expectStructure(/^[A-Z0-9]{4}$/.test(id) && size !== null && size <= end - file.position);
    const start = (yield* readStart(START_BYTES, size!)).toString("latin1");
    if (id === "PRIV" && start.startsWith(OWNER)) throw new Unmarkable("maker_xmp");
    if (id === "GEOB" && start.includes("c2pa")) throw new Unmarkable("maker_c2pa");
  }
  yield* skipBytes(end - file.position);
}

function writeHeader(size: number): Buffer {
  return Buffer.concat([Buffer.from("ID3\x03\0\0", "latin1"), writeSynchsafe(size)]);
}

function writeFrame(xmp: Buffer, version: number): Buffer {
  const content = Buffer.concat([Buffer.from(OWNER), xmp]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PRIV");
  if (version === 4) writeSynchsafe(content.length).copy(header, 4);
  else header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Returns the 28-bit number in the lower seven bits of four bytes; null if one of them has its highest bit set. */
function readSynchsafe(bytes: Buffer, at: number): number | null {
  const parts = bytes.subarray(at, at + 4);
  if (parts.some((part) => part > 0x7f)) return null;
  return parts.reduce((value, part) => value * 128 + part, 0);
}

const writeSynchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f));
