import sharp from "sharp";
import { writeWebm } from "../../server/providers/sandbox/video/webm";

/** Returns a WebM video of one VP8 key frame per colour, each shown for a tenth of a second. */
export async function makeWebm(colours: string[], { width = 320, height = 180 } = {}): Promise<Buffer> {
  const create = (background: string) => ({ width, height, background, channels: 3 as const });
  const pictures = colours.map((colour) => sharp({ create: create(colour) }).webp({ lossless: false }).toBuffer()); // prettier-ignore
  return writeWebm(await Promise.all(pictures), { width, height, frameMs: 100 });
}
