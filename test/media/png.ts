import sharp, { type Color } from "sharp";

/** Returns a PNG of one colour. */
export const makePng = (background: Color, { width = 40, height = 30 } = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
