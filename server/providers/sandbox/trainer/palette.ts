import { createRandom } from "../random";

/** Red, green and blue, 0 to 255. */
export type Colour = [number, number, number];

/** A colour and the share of all pixels for which it is the nearest one of the palette, 0 to 1. */
export interface Share {
  colour: Colour;
  share: number;
}

const PALETTE_SIZE = 6;
/** Channels are counted in eight steps. */
const STEP_BITS = 5;
const HALF_STEP = 2 ** (STEP_BITS - 1);

/** Returns how many pixels of raw RGB have each colour, in steps of 32 for each channel; by a number for each colour. */
export function countColours(pixels: Buffer): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const stepOf = (channel: number) => pixels[at + channel]! >> STEP_BITS;
    const colour = (stepOf(0) << 16) | (stepOf(1) << 8) | stepOf(2);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

/** Returns the initial palette for a seed, deterministically. */
export function createInitialPalette(seed: string): Colour[] {
  const random = createRandom(seed);
  return Array.from({ length: PALETTE_SIZE }, () => [0, 1, 2].map(() => Math.round(random.between(0, 255))) as Colour);
}

/** Runs one k-means step: each colour moves to the mean of the pixels nearest to it. Returns the colours with their shares. */
export function refinePalette(palette: Colour[], counts: Map<number, number>): Share[] {
  const sums = palette.map(() => ({ colour: [0, 0, 0] as Colour, pixels: 0 }));
  let total = 0;
  for (const [counted, pixels] of counts) {
    const centre = [counted >> 16, (counted >> 8) & 255, counted & 255].map(
      (step) => (step << STEP_BITS) + HALF_STEP,
    ) as Colour;
    const sum = sums[findNearest(palette, centre)]!;
    sum.pixels += pixels;
    total += pixels;
    centre.forEach((value, channel) => (sum.colour[channel]! += value * pixels));
  }
  return sums.map(({ colour, pixels }, index) => ({
    colour: pixels === 0 ? palette[index]! : (colour.map((value) => Math.round(value / pixels)) as Colour),
    share: pixels / total,
  }));
}

function findNearest(palette: Colour[], [r, g, b]: Colour): number {
  const distances = palette.map(([x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2);
  return distances.indexOf(Math.min(...distances));
}

/** Returns a colour as `#rrggbb`. */
export const toHex = (colour: Colour): string => `#${Buffer.from(colour).toString("hex")}`;
