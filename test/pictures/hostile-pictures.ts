import sharp from "sharp";

const EDGE = 5_000;
const AVIF_EDGE = 3_200;
const FRAMES = 400_000;

const plain = (edge: number) =>
  sharp({ create: { width: edge, height: edge, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } });

/** Returns small images that decode to hundreds of megabytes, or have metadata of that size. */
export async function makeHostilePictures(): Promise<Record<string, Buffer>> {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 1, 0]);
  const screen = Buffer.from([1, 0, 1, 0, 0, 0, 0]);
  return {
    "large.gif": await plain(EDGE).gif({ effort: 1 }).toBuffer(),
    "interlaced.png": await plain(EDGE).png({ compressionLevel: 1, progressive: true }).toBuffer(),
    "progressive.jpeg": await plain(EDGE).jpeg({ progressive: true, chromaSubsampling: "4:4:4" }).toBuffer(),
    "deep.avif": await plain(AVIF_EDGE).avif({ effort: 0, bitdepth: 10, chromaSubsampling: "4:4:4" }).toBuffer(),
    "frames.gif": Buffer.concat([
      Buffer.from("GIF89a"),
      screen,
      ...Array.from({ length: FRAMES }, () => frame),
      Buffer.from([0x3b]),
    ]),
  };
}
