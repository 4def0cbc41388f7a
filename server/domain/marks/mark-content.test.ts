import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { makeMp3, makeWav } from "../../../test/media/audio";
import { hasExifTool, readWithExifTool } from "../../../test/media/exiftool";
import { signedFiles } from "../../../test/media/makers";
import { markBuffer, piecesOf } from "../../../test/media/mark";
import { makeMp4 } from "../../../test/media/mp4";
import { samples } from "../../../test/files/samples";
import { seed, soakCount } from "../../../test/soak";
import { DIGITAL_SOURCE_TYPE } from "./mark";
import { repairContent } from "./edits";
import { writeXmpPacket } from "./xmp-packet";

const picture = sharp({
  create: { width: 200, height: 99, channels: 4, background: { r: 200, g: 80, b: 3, alpha: 0.4 } },
});
const exif = { exif: { IFD0: { Artist: "Ada" } } };
const id3 = (version: number, frames: string) => {
  const content = Buffer.from(frames, "latin1");
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, content.length]), content]);
};
const sound = makeMp3(0.2);
const sized = (wav: Buffer, riffSize: number, dataSize: number) => {
  const copy = Buffer.from(wav);
  copy.writeUInt32LE(riffSize, 4);
  copy.writeUInt32LE(dataSize, 40);
  return copy;
};
const box = (type: string, content = "") => {
  const bytes = Buffer.from(`....${type}${content}`, "latin1");
  bytes.writeUInt32BE(bytes.length, 0);
  return bytes;
};

/** Contents with a place for a mark. */
const markable: [name: string, mediaType: string, content: Buffer][] = [
  ["a PNG", "image/png", await picture.clone().png().toBuffer()],
  ["a PNG with Exif", "image/png", await picture.clone().withMetadata(exif).png().toBuffer()],
  ["a JPEG", "image/jpeg", await picture.clone().flatten().jpeg().toBuffer()],
  [
    "a progressive JPEG with Exif",
    "image/jpeg",
    await picture.clone().flatten().withMetadata(exif).jpeg({ progressive: true }).toBuffer(),
  ],
  ["a WebP", "image/webp", await picture.clone().flatten().webp().toBuffer()],
  ["a WebP with transparency", "image/webp", await picture.clone().webp().toBuffer()],
  ["a lossless WebP", "image/webp", await picture.clone().webp({ lossless: true }).toBuffer()],
  ["a WebP with Exif", "image/webp", await picture.clone().withMetadata(exif).webp().toBuffer()],
  ["an AVIF", "image/avif", await picture.clone().avif().toBuffer()],
  ["an MP4", "video/mp4", await makeMp4("teal")],
  ["an MP4 with an index of fragments", "video/mp4", Buffer.concat([await makeMp4("teal"), box("mfra", "index")])],
  ["a WAV", "audio/wav", makeWav(0.1)],
  ["a WAV of unknown size", "audio/wav", sized(makeWav(0.1), 0xffffffff, 0xffffffff)],
  ["a WAV of size 0", "audio/wav", sized(makeWav(0.1), 0, 0)],
  ["an MP3", "audio/mpeg", sound],
  ["an MP3 with ID3v2.3", "audio/mpeg", Buffer.concat([id3(3, "TIT2\0\0\0\x05\0\0\0Song\0\0\0\0"), sound])],
  ["an MP3 with ID3v2.4", "audio/mpeg", Buffer.concat([id3(4, "TIT2\0\0\0\x05\0\0\0Song"), sound])],
];

test("ExifTool reads the mark of every format and has no warning", async ({ skip }) => {
  if (!hasExifTool) process.stdout.write("skipped, marks read by ExifTool: perl or exiftool-vendored.pl is missing\n");
  skip(!hasExifTool);
  const model = 'maker/model:1 <&">';
  const marked = await Promise.all(markable.map(async ([, type, content]) => markBuffer(content, type, { model })));
  const before = await readWithExifTool(markable.map(([, , content]) => content));
  const read = await readWithExifTool(marked.map(({ content }) => content));
  for (const [index, [name]] of markable.entries()) {
    expect(read[index], name).toMatchObject({
      CreatorTool: "Generation Hub",
      DigitalSourceType: DIGITAL_SOURCE_TYPE,
      AISystemUsed: model,
      Validate: before[index]!.Validate,
    });
    expect(read[index]!.Warning, name).toBe(before[index]!.Warning);
  }
});

test.each(markable)("marks %s without touching what is decoded", async (_name, mediaType, original) => {
  const { content, mark } = await markBuffer(original, mediaType);
  expect(mark).toBe("xmp");
  expect(content.includes(writeXmpPacket("sandbox-image"))).toBe(true);
  if (mediaType.startsWith("image/")) {
    const [before, after] = await Promise.all([original, content].map((file) => sharp(file).raw().toBuffer()));
    expect(after!.equals(before!)).toBe(true);
    const { format, width, height, channels, exif } = await sharp(original).metadata();
    expect(await sharp(content).metadata()).toMatchObject({ format, width, height, channels, ...(exif && { exif }) });
    return;
  }
  // The samples, and in an MP4 everything to which its tables point.
  const media = { "video/mp4": original.subarray(0, -13), "audio/wav": original.subarray(44), "audio/mpeg": sound };
  const payload = media[mediaType as keyof typeof media];
  expect(content.includes(payload)).toBe(true);
  if (mediaType === "video/mp4") expect(content.indexOf(payload)).toBe(0);
});

test("a WAV says the size that it has", async () => {
  const { content } = await markBuffer(makeWav(0.1), "audio/wav");
  expect(content.readUInt32LE(4)).toBe(content.length - 8);
});

test.each(markable)("marks %s in the same way whatever its pieces are", async (_name, mediaType, original) => {
  const { content } = await markBuffer(original, mediaType);
  for (const pieceSize of [1, 7, 1_000])
    expect((await markBuffer(original, mediaType, { pieceSize })).content.equals(content)).toBe(true);
});

test.each(markable)("does not mark %s again", async (_name, mediaType, original) => {
  const { content } = await markBuffer(original, mediaType);
  const again = await markBuffer(content, mediaType, { model: "other" });
  expect(again).toMatchObject({ mark: "maker_xmp", repairs: [] });
  expect(again.content.equals(content)).toBe(true);
});

test.each(signedFiles)("keeps the C2PA manifest of a maker's $mediaType", async ({ mediaType, content }) => {
  const stored = await markBuffer(content, mediaType);
  expect(stored).toMatchObject({ mark: "maker_c2pa", repairs: [] });
  expect(stored.content.equals(content)).toBe(true);
});

const unsupported = samples.filter(([type]) => !markable.some(([, supported]) => supported === type));
test.each(unsupported)("passes %s unchanged", async (mediaType, content) => {
  const stored = await markBuffer(content, mediaType);
  expect(stored).toMatchObject({ mark: "unsupported_format", repairs: [] });
  expect(stored.content.equals(content)).toBe(true);
});

const [, , png] = markable[0]!;
const [, , jpeg] = markable[2]!;
const [, , mp4] = markable[9]!;
const patched = (content: Buffer, at: number, bytes: number[]) => {
  const copy = Buffer.from(content);
  copy.set(bytes, at);
  return copy;
};
const archive = Buffer.from(`PK\x05\x06${"\0".repeat(18)}`, "latin1");
const nested = (depth: number): Buffer => box("moov", depth === 0 ? "" : nested(depth - 1).toString("latin1"));

/** Contents without a place for a mark: damaged, hostile, or two formats in one. */
const hostile: [name: string, mediaType: string, content: Buffer][] = [
  ["a chunk of 2 GB in a PNG", "image/png", patched(png, 33, [0x7f, 0xff, 0xff, 0xff])],
  ["a chunk of 4 GB in a PNG", "image/png", patched(png, 33, [0xff, 0xff, 0xff, 0xff])],
  ["a PNG with a wrong check sum", "image/png", patched(png, 29, [0, 0, 0, 0])],
  ["a PNG that is also a ZIP", "image/png", Buffer.concat([png, archive])],
  ["a JPEG that is also a ZIP", "image/jpeg", Buffer.concat([jpeg, archive])],
  ["a JPEG of markers alone", "image/jpeg", Buffer.alloc(5_000, 0xff)],
  ["a WAV that is also a ZIP", "audio/wav", Buffer.concat([makeWav(0.1), archive])],
  ["a chunk of 2 GB in a WAV", "audio/wav", sized(makeWav(0.1), makeWav(0.1).length - 8, 0x7fffffff)],
  ["a WAV that claims 4 GB", "audio/wav", sized(makeWav(0.1), 0xfffffffe, 0xfffffffe)],
  ["an MP4 with a box of 2 GB", "video/mp4", Buffer.concat([mp4, patched(box("free"), 0, [0x7f, 0xff, 0xff, 0xff])])],
  [
    "an MP4 with a box of 16 EB",
    "video/mp4",
    Buffer.concat([mp4, patched(box("mdat", "\xff".repeat(8)), 0, [0, 0, 0, 1])]),
  ],
  [
    "an MP4 with a box without room for its header",
    "video/mp4",
    Buffer.concat([mp4, patched(box("free"), 0, [0, 0, 0, 4])]),
  ],
  [
    "an MP4 with a long size of another box",
    "video/mp4",
    Buffer.concat([mp4, patched(box("free", "\0".repeat(7) + "\x10"), 0, [0, 0, 0, 1])]),
  ],
  ["an MP4 whose last box is open", "video/mp4", Buffer.concat([mp4, patched(box("free"), 0, [0, 0, 0, 0])])],
  ["an MP4 without an index", "video/mp4", box("ftyp", "isom")],
  [
    "an ID3 tag larger than the file",
    "audio/mpeg",
    patched(Buffer.concat([id3(3, ""), sound]), 6, [0x7f, 0x7f, 0x7f, 0x7f]),
  ],
  ["a frame larger than its tag", "audio/mpeg", Buffer.concat([id3(3, "TIT2\x7f\xff\xff\xff\0\0"), sound])],
  ["an ID3 tag before something else", "audio/mpeg", Buffer.concat([id3(3, ""), archive])],
  ["an unsynchronized ID3 tag", "audio/mpeg", patched(Buffer.concat([id3(3, ""), sound]), 5, [0x80])],
  [
    "more boxes than a film has",
    "video/mp4",
    Buffer.concat([box("ftyp"), ...Array.from({ length: 200_000 }, () => box("moov"))]),
  ],
  ...markable
    .filter(([name]) => !/unknown|size 0|MP3$/.test(name))
    .map(([name, type, content]): [string, string, Buffer] => [`${name}, cut off`, type, content.subarray(0, -1)]),
].filter(([name]) => !/^an MP3.*cut off$/.test(name as string)) as [string, string, Buffer][];

test.each(hostile)("passes %s unchanged", async (_name, mediaType, content) => {
  const stored = await markBuffer(content, mediaType);
  expect(stored.mark).toBe("unreadable");
  expect(stored.content.equals(content)).toBe(true);
});

test("nested boxes are passed over, however deep", async () => {
  const content = Buffer.concat([box("ftyp", "isom"), nested(2_000)]);
  expect((await markBuffer(content, "video/mp4")).mark).toBe("xmp");
});

test("marks a content that is longer than what is held, whatever its pieces are", async () => {
  const long = makeWav(100);
  const { content, mark } = await markBuffer(long, "audio/wav", { pieceSize: long.length });
  expect(mark).toBe("xmp");
  expect(content.readUInt32LE(4)).toBe(content.length - 8);
  expect(content.subarray(8, long.length).equals(long.subarray(8))).toBe(true);
  expect((await markBuffer(long, "audio/wav", { pieceSize: 9_999 })).content.equals(content)).toBe(true);
});

test("what only the end of a long content shows is repaired", async () => {
  const long = Buffer.concat([makeWav(100), Buffer.from("C2PA\x04\0\0\0abcd", "latin1")]);
  long.writeUInt32LE(long.length - 8, 4);
  const { content, mark, repairs } = await markBuffer(long, "audio/wav");
  expect(mark).toBe("maker_c2pa");
  expect(content.equals(long)).toBe(false);
  const repaired: Uint8Array[] = [];
  for await (const chunk of repairContent(piecesOf(content, 10_000), repairs)) repaired.push(chunk);
  expect(Buffer.concat(repaired).equals(long)).toBe(true);
});

const mediaTypes = [...new Set(markable.map(([, mediaType]) => mediaType))];
const damage = fc.record({
  file: fc.integer({ min: 0, max: markable.length - 1 }),
  type: fc.option(fc.constantFrom(...mediaTypes), { freq: 10 }),
  changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
  length: fc.option(fc.nat(), { freq: 3 }),
  after: fc.uint8Array({ maxLength: 20 }),
});

test("content that is not marked passes unchanged, and a mark only adds to others", async () => {
  const property = fc.asyncProperty(damage, async ({ file, type, changes, length, after }) => {
    const [, mediaType, original] = markable[file]!;
    const cut = length === null ? original : original.subarray(0, length % original.length);
    const content = Buffer.concat([cut, after]);
    // Headers are at the beginning.
    for (const [at, value] of changes) if (content.length > 0) content[at % Math.min(content.length, 300)] = value;
    const stored = await markBuffer(content, type ?? mediaType);
    if (stored.mark === "xmp") expect(stored.content.includes(writeXmpPacket("sandbox-image"))).toBe(true);
    else expect(stored.content.equals(content)).toBe(true);
  });
  await fc.assert(property, { numRuns: soakCount(1_500, 100_000), seed });
});
