import sharp, { type Metadata } from "sharp";
import { cutToFirstFrame } from "./first-frame";

/** An encoded picture whose header was read. */
export interface Picture {
  content: Buffer;
  header: Metadata;
  /** About what its decoder takes at most. */
  decodedBytes: number;
}

const signatures: ((head: string) => boolean)[] = [
  (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  (head) => head.startsWith("\xff\xd8\xff"),
  isGif,
  (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  (head) => head.slice(4, 12) === "ftypavif" || head.slice(4, 12) === "ftypavis",
];

/** Returns whether content begins like a raster picture. Nothing else reaches a decoder, SVG above all: it can refer to files. */
export const isPicture = (content: Buffer): boolean => signatures.some((matches) => matches(headOf(content)));

/** Reads the header of a picture, of an animated GIF its first frame alone. Rejects when the header cannot be read. */
export async function readPicture(content: Buffer): Promise<Picture> {
  const still = isGif(headOf(content)) ? cutToFirstFrame(content) : content;
  const header = await sharp(still).metadata();
  return { content: still, header, decodedBytes: header.width * header.height * bytesPerPixel(header) };
}

const headOf = (content: Buffer) => content.toString("latin1", 0, 16);

function isGif(head: string): boolean {
  return head.startsWith("GIF87a") || head.startsWith("GIF89a");
}

/**
 * Measured at 36 megapixels, with a margin: AVIF took up to 25.5 bytes a pixel, GIF 5, and what is stored in several
 * passes 9, as every pixel must be there before the first row is known. Other JPEG and PNG files are read row by row.
 */
function bytesPerPixel({ format, isProgressive }: Metadata): number {
  if (format === "heif") return 28;
  return (format === "jpeg" || format === "png") && !isProgressive ? 4 : 10;
}
