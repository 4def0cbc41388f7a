import { type PictureHeader, runPictureTask } from "./picture-thread";

/** An encoded picture whose header was read. */
export interface Picture {
  content: Uint8Array<ArrayBuffer>;
  header: PictureHeader;
  /** Estimated peak memory of its decoder. */
  decodedBytes: number;
}

const signatures: ((head: string) => boolean)[] = [
  (head) => head.startsWith("\x89PNG\r\n\x1a\n"),
  (head) => head.startsWith("\xff\xd8\xff"),
  (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a"),
  (head) => head.startsWith("RIFF") && head.slice(8, 12) === "WEBP",
  (head) => head.slice(4, 12) === "ftypavif" || head.slice(4, 12) === "ftypavis",
];

/**
 * Returns whether content begins like a raster picture. Nothing else reaches a decoder, especially not SVG, which can
 * refer to files.
 */
export const isPicture = (content: Buffer): boolean => signatures.some((matches) => matches(readHead(content)));

/**
 * Reads the header of a picture; reduces an animated GIF to its first frame. Its buffer may be taken away. Rejects when the
 * header is unreadable.
 */
export async function readPicture(encoded: Buffer): Promise<Picture> {
  const { content, header } = await runPictureTask("inspect", encoded, {});
  return { content, header, decodedBytes: header.width * header.height * bytesPerPixel(header) };
}

const readHead = (content: Buffer) => content.toString("latin1", 0, 16);

/**
 * Returns the decoder's memory per pixel, measured at 36 megapixels, with a margin: AVIF took up to 25.5 bytes per pixel,
 * GIF 5, and progressive files 9, because they are decoded as a whole. Other JPEG and PNG files are decoded row by row.
 */
function bytesPerPixel({ format, isProgressive }: PictureHeader): number {
  if (format === "heif") return 28;
  return (format === "jpeg" || format === "png") && !isProgressive ? 4 : 10;
}
