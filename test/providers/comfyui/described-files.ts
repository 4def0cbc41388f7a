import { crc32 } from "node:zlib";
import { makeMp4 } from "../../media/mp4";
import { PNG } from "../outputs";

const MP4 = await makeMp4("teal", { width: 32, height: 16 });
const PNG_END_BYTES = 12;

/** Returns a file with a text that describes the work, by its extension. */
export const describedFiles: Record<string, (text: Buffer) => Buffer> = {
  png: (text) => Buffer.concat([PNG.subarray(0, -PNG_END_BYTES), pngChunk("tEXt", text), PNG.subarray(-PNG_END_BYTES)]),
  flac: (text) => Buffer.concat([Buffer.from("fLaC\0\0\0\x22", "latin1"), text]),
  mp4: (text) => Buffer.concat([MP4, uint32(8 + text.length), Buffer.from("free"), text]),
};

function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
