import type { OverlayOptions } from "sharp";
import type { ProviderIo } from "../provider";
import { MAX_IMAGES } from "./input";
import type { Size } from "./sizes";
import { readSquare } from "./square";

/** Returns the input images as white-framed prints in a row along the bottom edge. Throws InputUnavailable. */
export async function mountImages(
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
