import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { shrinkPicture } from "./shrink-picture";

const { signal } = new AbortController();
const plain = (width: number, height: number, background = "#d9772b") =>
  sharp({ create: { width, height, channels: 3, background } });
const shrink = async (content: Buffer, width = 128) => {
  const {
    format,
    width: actual,
    height,
    pages,
    exif,
  } = await sharp(await shrinkPicture(content, width, signal)).metadata();
  return { format, size: [actual, height], pages, exif };
};
const sized = (...size: number[]) => ({ format: "webp", size, pages: undefined, exif: undefined });

test.each([
  ["png", (width: number, height: number) => plain(width, height).png()],
  ["jpeg", (width: number, height: number) => plain(width, height).jpeg()],
  ["webp", (width: number, height: number) => plain(width, height).webp()],
  ["gif", (width: number, height: number) => plain(width, height).gif()],
  ["avif", (width: number, height: number) => plain(width, height).avif({ effort: 0 })],
] as const)("makes a WebP of at most the width from %s", async (_format, encode) => {
  expect(await shrink(await encode(400, 200).toBuffer())).toEqual(sized(128, 64));
  expect(await shrink(await encode(60, 90).toBuffer())).toEqual(sized(60, 90));
});

test("turns a photo upright and leaves out where it was taken", async () => {
  const exif = { IFD0: { ImageDescription: "the harbour" }, IFD3: { GPSLatitude: "53/1 32/1 0/1" } };
  const photo = await plain(400, 200).jpeg().withMetadata({ orientation: 6, exif }).toBuffer();
  expect(await shrink(photo)).toEqual(sized(128, 256));
});

test("takes the first frame of an animation", async () => {
  const frames = await Promise.all(["red", "blue"].map((colour) => plain(200, 200, colour).png().toBuffer()));
  for (const format of ["gif", "webp"] as const) {
    const animation = await sharp(frames, { join: { animated: true } })[format]().toBuffer(); // prettier-ignore
    const thumbnail = await shrinkPicture(animation, 128, signal);
    const { dominant } = await sharp(thumbnail).stats();
    expect((await sharp(thumbnail).metadata()).pages).toBeUndefined();
    expect(dominant.r).toBeGreaterThan(200);
  }
});

test("a narrow strip stays within four times its width", async () => {
  expect(await shrink(await plain(100, 4_000).png().toBuffer())).toEqual(sized(13, 512));
});

test("rejects what is no picture, is broken, or would take too much memory", async () => {
  const png = await plain(400, 400).png().toBuffer();
  const contents = [
    ...[Buffer.from("hello"), Buffer.alloc(0), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ...[png.subarray(0, 40), png.subarray(0, -40), declareSize(png, 12_000)],
  ];
  for (const content of contents) {
    await expect(shrinkPicture(content, 128, signal)).rejects.toMatchObject({ name: "UnreadablePicture" });
  }
});

/** Returns a PNG whose header claims that it has this many pixels on each side. */
function declareSize(png: Buffer, edge: number): Buffer {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(edge, 16);
  changed.writeUInt32BE(edge, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}
