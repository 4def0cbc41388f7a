import sharp from "sharp";

const SECOND = 1_000;

/** Returns an MP4 video of one AV1 key frame of this colour, shown for a second. */
export async function makeMp4(background: string, { width = 320, height = 180 } = {}): Promise<Buffer> {
  const avif = await sharp({ create: { width, height, channels: 3, background } })
    .avif()
    .toBuffer();
  const [config, frame] = [findBox(avif, "av1C"), findBox(avif, "mdat")];
  const start = box("ftyp", "isom", uint32(512), "isomiso2av01mp41");
  const movie = (offset: number) => describeMovie(config, { width, height, size: frame.length, offset });
  // The offset of the frame does not change the length of the movie's description.
  const offset = start.length + movie(0).length + 8;
  return Buffer.concat([start, movie(offset), box("mdat", frame)]);
}

/** Returns the content of the first box of this type, wherever it is nested. */
function findBox(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, "latin1");
  if (at < 0) throw new Error(`no ${type}`);
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

interface Frame {
  width: number;
  height: number;
  size: number;
  /** Where it begins in the file. */
  offset: number;
}

function describeMovie(config: Buffer, { width, height, size, offset }: Frame): Buffer {
  const zeros = (count: number) => Buffer.alloc(count);
  const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(uint32));
  const edges = Buffer.concat([uint16(width), uint16(height)]);
  const sample = box(
    "av01",
    zeros(6),
    uint16(1),
    zeros(16),
    edges,
    uint32(72 << 16),
    uint32(72 << 16),
    zeros(4),
    uint16(1),
    zeros(32),
    uint16(24),
    uint16(0xffff),
    box("av1C", config),
  );
  const table = box(
    "stbl",
    fullBox("stsd", uint32(1), sample),
    fullBox("stts", uint32(1), uint32(1), uint32(SECOND)),
    fullBox("stsc", uint32(1), uint32(1), uint32(1), uint32(1)),
    fullBox("stsz", uint32(size), uint32(1)),
    fullBox("stco", uint32(1), uint32(offset)),
  );
  const data = box("dinf", fullBox("dref", uint32(1), box("url ", uint32(1))));
  const media = box(
    "mdia",
    fullBox("mdhd", zeros(8), uint32(SECOND), uint32(SECOND), uint16(0x55c4), zeros(2)),
    fullBox("hdlr", zeros(4), "vide", zeros(13)),
    box("minf", fullBox("vmhd", zeros(8)), data, table),
  );
  const times = [zeros(8), uint32(SECOND), uint32(SECOND)];
  const header = fullBox("mvhd", ...times, uint32(0x10000), uint16(0x100), zeros(10), matrix, zeros(24), uint32(2));
  const place = [zeros(8), uint32(1), zeros(4), uint32(SECOND), zeros(16), matrix];
  // The flag 1 enables the track.
  const track = box("tkhd", uint32(1), ...place, uint32(width << 16), uint32(height << 16));
  return box("moov", header, box("trak", track, media));
}

type Part = Buffer | string;

function box(type: string, ...parts: Part[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type, "latin1"), body]);
}

/** Returns a box with a version and flags, all zero. */
const fullBox = (type: string, ...parts: Part[]): Buffer => box(type, uint32(0), ...parts);

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
