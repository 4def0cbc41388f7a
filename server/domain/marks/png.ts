import { crc32 } from "node:zlib";
import {
  expectStructure,
  readBytes,
  readOrEnd,
  readStart,
  type ScannedFile,
  skipBytes,
  type Steps,
  Unmarkable,
} from "./scan";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const CRC_BYTES = 4;
const MAX_LENGTH = 0x7fffffff;
const KEYWORD = "XML:com.adobe.xmp\0";

/** Inserts an iTXt chunk after the header, which readers find before the pixels. */
export function* scanPng(file: ScannedFile, xmp: Buffer): Steps<void> {
  expectStructure((yield* readBytes(SIGNATURE.length)).equals(SIGNATURE));
  const header = yield* readBytes(25);
  expectStructure(header.readUInt32BE(0) === 13 && header.equals(writeChunk("IHDR", header.subarray(8, 21))));
  // Uncompressed, without a language or a translated keyword.
  file.edit(file.position, 0, writeChunk("iTXt", Buffer.concat([Buffer.from(`${KEYWORD}\0\0\0\0`), xmp])));
  for (;;) {
    const start = yield* readBytes(8);
    const length = start.readUInt32BE(0);
    const type = start.toString("latin1", 4);
    expectStructure(length <= MAX_LENGTH && /^[A-Za-z]{4}$/.test(type));
    if (type === "caBX") throw new Unmarkable("maker_c2pa");
    if (type === "iTXt") {
      const keyword = yield* readStart(KEYWORD.length, length, CRC_BYTES);
      if (keyword.toString("latin1") === KEYWORD) throw new Unmarkable("maker_xmp");
      continue;
    }
    yield* skipBytes(length + CRC_BYTES);
    if (type === "IEND") break;
  }
  // Anything after the end may be a second file, such as a ZIP.
  expectStructure((yield* readOrEnd(1)) === null);
}

function writeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + CRC_BYTES);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
