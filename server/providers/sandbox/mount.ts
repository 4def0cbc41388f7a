import sharp, { type OverlayOptions } from "sharp";
import { InputUnavailable } from "../input-unavailable";
import { isPicture } from "./is-picture";
import { MOST_IMAGES } from "./input";
import type { Size } from "./sizes";

const MOST_PIXELS = 64_000_000;
const MOST_SECONDS = 10;

/** Input images as white-framed prints in a row at the foot of the picture; throws InputUnavailable for an unreadable one. */
export async function mountImages(images: Buffer[], { width, height }: Size): Promise<OverlayOptions[]> {
  const short = Math.min(width, height);
  const gap = Math.round(short * 0.03);
  const outer = Math.floor((short - gap * (MOST_IMAGES + 1)) / MOST_IMAGES);
  const frame = Math.round(outer * 0.04);
  const left = Math.round((width - images.length * (outer + gap) + gap) / 2);
  return Promise.all(
    images.map(async (image, index) => ({
      input: await squareOf(image, `image_input.${index}`, outer - 2 * frame, frame),
      raw: { width: outer, height: outer, channels: 3 as const },
      left: left + index * (outer + gap),
      top: height - gap - outer,
    })),
  );
}

/** Any picture as a square of raw RGB in a white frame; throws InputUnavailable, by its place, for an unreadable one. */
export async function squareOf(image: Buffer, place: string, edge: number, frame = 0): Promise<Buffer> {
  const unreadable = new InputUnavailable(`${place} is not a picture that can be read.`);
  if (!isPicture(image)) throw unreadable;
  try {
    const square = await sharp(image, { limitInputPixels: MOST_PIXELS, sequentialRead: true })
      .timeout({ seconds: MOST_SECONDS })
      .autoOrient()
      .resize(edge, edge, { fit: "cover" })
      .flatten({ background: "white" })
      .extend({ top: frame, bottom: frame, left: frame, right: frame, background: "white" })
      .toColourspace("srgb")
      .raw()
      .toBuffer();
    return square;
  } catch {
    throw unreadable;
  }
}
