import { createRandom } from "../random";

/** Red, green and blue, 0 to 255. */
export type Colour = [number, number, number];

/** A colour and the share of all pixels that are findNearest to it, 0 to 1. */
export interface Share {
  colour: Colour;
  share: number;
}

const PALETTE_SIZE = 6;
const BINS_PER_CHANNEL = 8;
const BIN_WIDTH = 256 / BINS_PER_CHANNEL;

/** Returns how many pixels of raw RGB fall into each of 512 colour bins. */
export function countColours(pixels: Buffer): number[] {
  const counts = new Array<number>(BINS_PER_CHANNEL ** 3).fill(0);
  for (let offset = 0; offset + 2 < pixels.length; offset += 3) {
    const [r, g, b] = [0, 1, 2].map((offset) => Math.floor(pixels[offset + offset]! / BIN_WIDTH));
    counts[(r! * BINS_PER_CHANNEL + g!) * BINS_PER_CHANNEL + b!]! += 1;
  }
  return counts;
}

/** Returns the initial palette for a seed, deterministically. */
export function createInitialPalette(seed: string): Colour[] {
  const random = createRandom(seed);
  return Array.from({ length: PALETTE_SIZE }, () => [0, 1, 2].map(() => Math.round(random.between(0, 255))) as Colour);
}

/** Runs one k-means step: each colour moves to the mean of its findNearest pixels. Returns the colours with their shares. */
export function refinePalette(palette: Colour[], counts: number[]): Share[] {
  const sums = palette.map(() => ({ colour: [0, 0, 0] as Colour, pixels: 0 }));
  counts.forEach((pixels, bin) => {
    if (pixels === 0) return;
    const centre = [
      Math.floor(bin / BINS_PER_CHANNEL ** 2),
      Math.floor(bin / BINS_PER_CHANNEL) % BINS_PER_CHANNEL,
      bin % BINS_PER_CHANNEL,
    ].map((bin) => (bin + 0.5) * BIN_WIDTH) as Colour;
    const sum = sums[findNearest(palette, centre)]!;
    sum.pixels += pixels;
    centre.forEach((value, channel) => (sum.colour[channel]! += value * pixels));
  });
  const all = counts.reduce((total, pixels) => total + pixels, 0);
  return sums.map(({ colour, pixels }, index) => ({
    colour: pixels === 0 ? palette[index]! : (colour.map((value) => Math.round(value / pixels)) as Colour),
    share: pixels / all,
  }));
}

function findNearest(palette: Colour[], [r, g, b]: Colour): number {
  const distances = palette.map(([x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2);
  return distances.indexOf(Math.min(...distances));
}

/** Returns a colour as `#rrggbb`. */
export const toHex = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
