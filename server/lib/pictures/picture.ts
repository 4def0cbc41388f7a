import sharp, { type Metadata } from "sharp";

/** An encoded picture whose header was read. */
export interface Picture {
  content: Buffer;
  header: Metadata;
  /** Estimated peak memory of its decoder. */
  decodedBytes: number;
}

const signatures: ((head: string) => boolean)[] = [
  (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  (head) => head.startsWith("\xff\xd8\xff"),
  isGif,
  (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  (head) => head.slice(4, 12) === "ftypavif" || head.slice(4, 12) === "ftypavis",
];

/** Returns whether content begins like a raster picture. Nothing else reaches a decoder, especially not SVG, which can refer to files. */
export const isPicture = (content: Buffer): boolean => signatures.some((matches) => matches(readHead(content)));

/** Reads the header of a picture; reduces an animated GIF to its first frame. Rejects when the header is unreadable. */
export async function readPicture(content: Buffer): Promise<Picture> {
  const still = isGif(readHead(content)) ? cutToFirstFrame(content) : content;
  const header = await sharp(still).metadata();
  return { content: still, header, decodedBytes: header.width * header.height * bytesPerPixel(header) };
}

const readHead = (content: Buffer) => content.toString("latin1", 0, 16);

function isGif(head: string): boolean {
  return head.startsWith("GIF87a") || head.startsWith("GIF89a");
}

/**
 * Returns the decoder's memory per pixel, measured at 36 megapixels, with a margin: AVIF took up to 25.5 bytes per pixel,
 * GIF 5, and progressive files 9, because they are decoded as a whole. Other JPEG and PNG files are decoded row by row.
 */
function bytesPerPixel({ format, isProgressive }: Metadata): number {
  if (format === "heif") return 28;
  return (format === "jpeg" || format === "png") && !isProgressive ? 4 : 10;
}

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = Buffer.from([0x3b]);
const HEADER_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

/**
 * Returns a GIF cut after its first frame. A decoder scans all frames before it decodes one, and a file of 20 MiB can
 * contain a million of them.
 */
function cutToFirstFrame(gif: Buffer): Buffer {
  if (gif.length < HEADER_BYTES) return gif;
  let offset = HEADER_BYTES + colourTableBytes(gif[10]!);
  // Extensions such as comments may come before the frame.
  while (gif[offset] === EXTENSION) offset = skipBlocks(gif, offset + 2);
  if (gif[offset] !== IMAGE) return gif.subarray(0, offset);
  const data = offset + DESCRIPTOR_BYTES + colourTableBytes(gif[offset + DESCRIPTOR_BYTES - 1] ?? 0) + 1;
  return Buffer.concat([gif.subarray(0, skipBlocks(gif, data)), TRAILER]);
}

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Returns the position after a chain of length-prefixed blocks, which a length of 0 ends. */
function skipBlocks(gif: Buffer, start: number): number {
  let offset = start;
  while (offset < gif.length && gif[offset] !== 0) offset += gif[offset]! + 1;
  return offset + 1;
}
