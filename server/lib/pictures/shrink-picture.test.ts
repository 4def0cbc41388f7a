import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
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
    Buffer.from("hello"),
    Buffer.alloc(0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    png.subarray(0, 40),
    png.subarray(0, -40),
    declareSize(png, 12_000),
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

const comments = (bytes: number) => {
  const start = Buffer.from([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([start, Buffer.alloc(bytes - (bytes % 3), Buffer.from([0x21, 0xfe, 0])), Buffer.from([0x3b])]);
};
const profiles = async (count: number) => {
  const jpeg = await plain(64, 64).jpeg().toBuffer();
  const content = Buffer.alloc(0xffff - 2, 0x20);
  content.write("ICC_PROFILE\0", 0, "latin1");
  const segment = (index: number) => {
    const own = Buffer.from(content);
    own[12] = (index % 255) + 1;
    own[13] = Math.min(count, 255);
    return Buffer.concat([Buffer.from([0xff, 0xe2, 0xff, 0xff]), own]);
  };
  return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, (_, n) => segment(n)), jpeg.subarray(2)]);
};
const frames = (count: number) =>
  Buffer.concat([
    Buffer.from([...Buffer.from("GIF89a"), 1, 0, 1, 0, 0, 0, 0]),
    ...new Array<Buffer>(count).fill(
      Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 1, 0]),
    ),
    Buffer.from([0x3b]),
  ]);

test.each([
  ["a GIF of comments", () => Promise.resolve(comments(50 * 1024 ** 2))],
  ["a JPEG of 700 profiles", () => profiles(700)],
  ["a GIF of 400,000 frames", () => Promise.resolve(frames(400_000))],
])("%s is read in short turns", async (_name, make) => {
  const content = await make();
  const longestMs = await measureLongestTurnAgain(50, () => shrinkPicture(content, 128, signal).catch(() => undefined));
  expect(longestMs).toBeLessThan(50);
});
