import type { OverlayOptions, Sharp } from "sharp";
import type { ProviderIo } from "../provider";
import { getSize, type Input, MAX_IMAGES, type Size } from "./input";
import { paintLandscape } from "./landscape";
import { loadSharp } from "../../lib/pictures/load-sharp";
import { withPictureMemory } from "../../lib/pictures/picture-memory";
import { readSquare } from "./square";

/** Memory while drawing and encoding, measured at 4k, with a margin. */
const BYTES_PER_PIXEL = 10;

/** Draws and encodes the picture for an input, with ridges in the given colours; the same input gives the same bytes. */
export async function drawPicture(
  input: Input,
  io: Pick<ProviderIo, "read" | "signal">,
  colours: string[] = [],
): Promise<Buffer> {
  const size = getSize(input.aspect_ratio, input.resolution);
  const prints = await mountImages(io, input.image_input, size);
  const encode = async () => {
    const sharp = await loadSharp();
    const picture = sharp(Buffer.from(paintLandscape(input.prompt, size, colours)))
      .composite(prints)
      .removeAlpha();
    return encoders[input.format](picture).toBuffer();
  };
  return withPictureMemory(size.width * size.height * BYTES_PER_PIXEL, encode, io.signal);
}

const encoders: Record<Input["format"], (picture: Sharp) => Sharp> = {
  png: (picture) => picture.png({ compressionLevel: 6 }),
  webp: (picture) => picture.webp({ quality: 88, effort: 2 }),
  jpeg: (picture) => picture.jpeg({ quality: 90 }),
};

/** Returns the input images as white-framed prints in a row along the bottom edge. Throws InputUnavailable. */
async function mountImages(
  io: Pick<ProviderIo, "read" | "signal">,
  urls: string[],
  { width, height }: Size,
): Promise<OverlayOptions[]> {
  const short = Math.min(width, height);
  const gap = Math.round(short * 0.03);
  const outer = Math.floor((short - gap * (MAX_IMAGES + 1)) / MAX_IMAGES);
  const frame = Math.round(outer * 0.04);
  const left = Math.round((width - urls.length * (outer + gap) + gap) / 2);
  const prints: OverlayOptions[] = [];
  for (const [index, url] of urls.entries()) {
    prints.push({
      input: await readSquare(io, url, { place: `image_input.${index}`, edge: outer - 2 * frame, frame }),
      raw: { width: outer, height: outer, channels: 3 },
      left: left + index * (outer + gap),
      top: height - gap - outer,
    });
  }
  return prints;
}
