import sharp, { type Sharp } from "sharp";
import { createLimit } from "../../lib/limit";
import type { Input } from "./input";
import { paintLandscape } from "./landscape";
import { mountImages } from "./mount";
import { sizeOf } from "./sizes";

// A 4k picture takes some 150 MB while it is drawn, and more at a time would not be faster.
const drawing = createLimit(2);

/** Draws what the input asks for, with land of these colours if there are any, and encodes it; the same input gives the same bytes. */
export function draw(input: Input, images: Buffer[], colours: string[] = []): Promise<Buffer> {
  const size = sizeOf(input.aspect_ratio, input.resolution);
  return drawing.run(async () => {
    const picture = sharp(Buffer.from(paintLandscape(input.prompt, size, colours)))
      .composite(await mountImages(images, size))
      .removeAlpha();
    return encoders[input.format](picture).toBuffer();
  });
}

const encoders: Record<Input["format"], (picture: Sharp) => Sharp> = {
  png: (picture) => picture.png({ compressionLevel: 6 }),
  webp: (picture) => picture.webp({ quality: 88, effort: 2 }),
  jpeg: (picture) => picture.jpeg({ quality: 90 }),
};
