import { createRandom } from "../random";

/** Red, green and blue, 0 to 255. */
export type Colour = [number, number, number];

/** A colour and the part of all pixels that are nearest to it. */
export interface Share {
  colour: Colour;
  share: number;
}

const COLOURS = 6;
const BINS = 8;
const WIDTH = 256 / BINS;

/** How many pixels of raw RGB fall into each of 512 boxes of colour. */
export function countColours(pixels: Buffer): number[] {
  const counts = new Array<number>(BINS ** 3).fill(0);
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [r, g, b] = [0, 1, 2].map((offset) => Math.floor(pixels[at + offset]! / WIDTH));
    counts[(r! * BINS + g!) * BINS + b!]! += 1;
  }
  return counts;
}

/** Where refining begins; only the seed decides. */
export function createInitialPalette(seed: string): Colour[] {
  const random = createRandom(seed);
  return Array.from({ length: COLOURS }, () => [0, 1, 2].map(() => Math.round(random.between(0, 255))) as Colour);
}

/** One round of k-means: each colour moves to the middle of the pixels that are nearest to it; with their shares. */
export function refinePalette(palette: Colour[], counts: number[]): Share[] {
  const sums = palette.map(() => ({ colour: [0, 0, 0] as Colour, pixels: 0 }));
  counts.forEach((pixels, box) => {
    if (pixels === 0) return;
    const middle = [Math.floor(box / BINS ** 2), Math.floor(box / BINS) % BINS, box % BINS].map(
      (bin) => (bin + 0.5) * WIDTH,
    ) as Colour;
    const sum = sums[nearest(palette, middle)]!;
    sum.pixels += pixels;
    middle.forEach((value, channel) => (sum.colour[channel]! += value * pixels));
  });
  const all = counts.reduce((total, pixels) => total + pixels, 0);
  return sums.map(({ colour, pixels }, index) => ({
    colour: pixels === 0 ? palette[index]! : (colour.map((value) => Math.round(value / pixels)) as Colour),
    share: pixels / all,
  }));
}

function nearest(palette: Colour[], [r, g, b]: Colour): number {
  const distances = palette.map(([x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2);
  return distances.indexOf(Math.min(...distances));
}

export const toHex = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
