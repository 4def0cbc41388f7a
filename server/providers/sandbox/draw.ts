import sharp, { type Sharp } from "sharp";
import type { ProviderIo } from "../provider";
import type { Input } from "./input";
import { paintLandscape } from "./landscape";
import { mountImages } from "./mount";
import { withPictureMemory } from "./picture-memory";
import { getSize } from "./sizes";

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
  const encode = () => {
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
