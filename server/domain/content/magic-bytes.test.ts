import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
import { describeContent } from "./inspect-content";
import { typeByMagicBytes } from "./magic-bytes";

const MAX_TURN_MS = 50;
const SAFETENSORS = "application/x-safetensors";
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Returns a safetensors file with this header. */
function safetensors(header: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header)]);
}

const tensor = '{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
const manyTensors = (count: number) => `{${Array.from({ length: count }, (_, n) => `"layer.${n}":${tensor}`).join()}}`;

test("a safetensors header of any length is recognized by the first 4 KiB", () => {
  for (const count of [1, 50, 1_000, 50_000])
    expect(typeByMagicBytes(safetensors(manyTensors(count)))).toBe(SAFETENSORS);
  const cut = manyTensors(1_000).slice(0, -1);
  expect(typeByMagicBytes(safetensors(cut))).toBe(SAFETENSORS);
  expect(typeByMagicBytes(safetensors(manyTensors(50).slice(0, -1)))).toBeNull();
});

test("a header as long as the file takes short turns", async () => {
  const file = safetensors(manyTensors(300_000));
  expect(file.length).toBeGreaterThan(16 * 1024 * 1024);
  let type = "";
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () => {
    type = describeContent(file).mediaType;
    return Promise.resolve();
  });
  expect(type).toBe(SAFETENSORS);
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});

const flac = (header: string) => latin1(`fLaC${header}\0\0\x22${"\0".repeat(34)}`);
const wave = (form: string) => latin1(`${form}\xff\xff\xff\xffWAVEds64`);
const ftyp = (major: string, ...compatible: string[]) =>
  latin1(
    `\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join("")}\0\0\0\bmoov`,
  );
/** A first page of an Ogg stream with this packet. */
const oggPage = (packet: string) => `OggS\0\x02${"\0".repeat(20)}\x01${String.fromCharCode(packet.length)}${packet}`;
const fishead = `fishead\0${"\0".repeat(72)}`;
const vorbis = `\x01vorbis${"\0".repeat(23)}`;
const theora = `\x80theora${"\0".repeat(35)}`;

test.each([
  ["a FLAC with more metadata than its stream info", flac("\0"), "audio/flac"],
  ["a FLAC with no metadata but its stream info", flac("\x80"), "audio/flac"],
  ["an RF64, a WAV of 4 GiB or more", wave("RF64"), "audio/wav"],
  ["a BW64, a WAV of 4 GiB or more", wave("BW64"), "audio/wav"],
  ["MP3 frames with a CRC", latin1("\xff\xfa\x90\x64"), "audio/mpeg"],
  ["MP3 frames of MPEG-2", latin1("\xff\xf3\x40\xc4"), "audio/mpeg"],
  ["MP3 frames of MPEG-2.5", latin1("\xff\xe3\x18\xc4"), "audio/mpeg"],
  ["a GIF of 1987", latin1("GIF87a\x01\0\x01\0"), "image/gif"],
  ["a video in Ogg after a skeleton", latin1(oggPage(fishead) + oggPage(theora)), "video/ogg"],
  ["a video in Ogg after its sound", latin1(oggPage(vorbis) + oggPage(theora)), "video/ogg"],
  ["sound in Ogg after a skeleton", latin1(oggPage(fishead) + oggPage(vorbis)), "audio/ogg"],
  ["an AVIF", ftyp("avif", "avif", "mif1", "miaf"), "image/avif"],
  ["an AVIF with a general brand", ftyp("mif1", "avif", "miaf"), "image/avif"],
  ["an AVIF sequence with a general brand", ftyp("msf1", "avis", "iso8"), "image/avif"],
  ["an AVIF whose brand is the last of many", ftyp("mif1", ...Array<string>(12).fill("miaf"), "avif"), "image/avif"],
  ["an MP4 of ffmpeg", ftyp("isom", "isom", "iso2", "avc1", "mp41"), "video/mp4"],
  ["an MP4 of a Sony camera", ftyp("XAVC", "XAVC", "mp42", "iso2"), "video/mp4"],
  ["an MP4 of a phone", ftyp("M4VH", "M4VH", "M4A ", "mp42", "isom"), "video/mp4"],
  ["an MP4 of a later edition of the base format", ftyp("isoc", "isoc", "iso6"), "video/mp4"],
])("recognizes %s", (_name, head, type) => {
  expect(typeByMagicBytes(head)).toBe(type);
});

test.each([
  ["a HEIC", ftyp("heic", "mif1", "heic")],
  ["a HEIC with a general brand", ftyp("mif1", "mif1", "heic")],
  ["a HEIC sequence", ftyp("msf1", "hevc", "iso8")],
  ["a QuickTime video", ftyp("qt  ", "qt  ")],
  ["an M4A", ftyp("M4A ", "M4A ", "mp42", "isom")],
  ["a raw photograph", ftyp("crx ", "crx ", "isom")],
  ["AAC", latin1("\xff\xf1\x50\x80\x2e\x7f\xfc")],
  ["a free-standing MP2", latin1("\xff\xfd\x90\x64")],
  ["a frame header with an invalid bit rate", latin1("\xff\xfb\xf0\x64")],
  ["another RIFF", latin1("RIFF\x24\0\0\0AVI LIST")],
])("does not recognize %s", (_name, head) => {
  expect(typeByMagicBytes(head)).toBeNull();
});
