import { growRiff, readChunk, readRiff, type RiffHeader, writeChunk } from "./riff";
import { expectStructure, readStart, type ScannedFile, skipBytes, type Steps, Unmarkable } from "./scan";

const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;
const FRAME_START = Buffer.from([0x9d, 0x01, 0x2a]);
const SIDE_BITS = 0x3fff;

/** Appends an `XMP ` chunk, which the VP8X chunk at the beginning announces. */
export function* scanWebp(file: ScannedFile, xmp: Buffer): Steps<void> {
  const mark = writeChunk("XMP ", xmp);
  const header = yield* readRiff("WEBP");
  expectStructure(header.size !== null);
  yield* announce(file, header, mark.length);
  for (let chunk = yield* readChunk(file, header); chunk !== null; chunk = yield* readChunk(file, header)) {
    if (chunk.id === "C2PA") throw new Unmarkable("maker_c2pa");
    if (chunk.id === "XMP ") throw new Unmarkable("maker_xmp");
    yield* skipBytes(chunk.size + (chunk.size % 2));
  }
  file.edit(file.position, 0, mark);
}

/** Reads the first chunk: sets the flag of VP8X, or inserts one before the only frame. */
function* announce(file: ScannedFile, header: RiffHeader, markLength: number): Steps<void> {
  const chunk = yield* readChunk(file, header);
  expectStructure(chunk !== null);
  const { id, at, size } = chunk!;
  const start = yield* readStart(10, size, size % 2);
  if (id !== "VP8X") {
    const extended = writeChunk("VP8X", describeFrame(id, start));
    growRiff(file, header, markLength + extended.length);
    file.edit(at, 0, extended);
    return;
  }
  expectStructure(start.length === 10);
  if ((start[0]! & HAS_XMP) !== 0) throw new Unmarkable("maker_xmp");
  growRiff(file, header, markLength);
  file.edit(at + 8, 1, Buffer.from([start[0]! | HAS_XMP]));
}

/** Returns the content of a VP8X chunk for a frame, from its first ten bytes (RFC 9649, section 2.7). */
function describeFrame(id: string, start: Buffer): Buffer {
  const extended = Buffer.alloc(10);
  extended[0] = HAS_XMP;
  if (id === "VP8 ") {
    const isKeyFrame = start.length === 10 && (start[0]! & 1) === 0 && start.subarray(3, 6).equals(FRAME_START);
    expectStructure(isKeyFrame);
    writeSides(extended, start.readUInt16LE(6) & SIDE_BITS, start.readUInt16LE(8) & SIDE_BITS);
    return extended;
  }
  expectStructure(id === "VP8L" && start.length === 10 && start[0] === 0x2f);
  const bits = start.readUInt32LE(1);
  if ((bits & (1 << 28)) !== 0) extended[0] |= HAS_ALPHA;
  writeSides(extended, (bits & SIDE_BITS) + 1, ((bits >>> 14) & SIDE_BITS) + 1);
  return extended;
}

function writeSides(extended: Buffer, width: number, height: number): void {
  expectStructure(width > 0 && height > 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
}
