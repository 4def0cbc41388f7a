import sharp from "sharp";
import { toHex, type Share } from "./palette";

/** Edge of a picture on the sheet, in pixels. */
export const EDGE = 192;
const GAP = 16;
const STRIPE_HEIGHT = 64;

/** Returns a contact sheet as PNG: raw RGB squares of EDGE in rows, and the palette below, with widths by share. */
export function drawSheet(squares: Buffer[], palette: Share[]): Promise<Buffer> {
  const columns = Math.ceil(Math.sqrt(squares.length));
  const rows = Math.ceil(squares.length / columns);
  const width = GAP + columns * (EDGE + GAP);
  const height = GAP + rows * (EDGE + GAP) + STRIPE_HEIGHT + GAP;
  const pictures = squares.map((input, index) => ({
    input,
    raw: { width: EDGE, height: EDGE, channels: 3 as const },
    left: GAP + (index % columns) * (EDGE + GAP),
    top: GAP + Math.floor(index / columns) * (EDGE + GAP),
  }));
  const stripe = {
    input: Buffer.from(paintStripe(width - 2 * GAP, palette)),
    left: GAP,
    top: height - STRIPE_HEIGHT - GAP,
  };
  return sharp({ create: { width, height, channels: 3, background: "white" } })
    .composite([...pictures, stripe])
    .png()
    .toBuffer();
}

function paintStripe(width: number, palette: Share[]): string {
  let left = 0;
  const bars = palette.map(({ colour, share }) => {
    const bar = `<rect x="${left}" width="${share * width}" height="${STRIPE_HEIGHT}" fill="${toHex(colour)}"/>`;
    left += share * width;
    return bar;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${STRIPE_HEIGHT}">${bars.join("")}</svg>`;
}
