import sharp from "sharp";
import { makeMp3 } from "../../media/audio";

export type PictureFormat = "png" | "jpeg" | "webp";

/** Returns a small picture, a different one for each seed. */
export const drawPicture = (format: PictureFormat, seed = 0): Promise<Buffer> =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: { r: seed % 256, g: 120, b: 200 } } })
    .toFormat(format)
    .toBuffer();

/** Returns silence as WAV: one second of 8 kHz, 8 bit, mono. */
export function buildWav(seconds = 1): Buffer {
  const rate = 8_000;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + seconds * rate, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(seconds * rate, 40);
  return Buffer.concat([header, Buffer.alloc(seconds * rate, 128)]);
}

/** The first bytes of each format of speech. */
export const speechContents: Record<string, { mediaType: string; content: Buffer }> = {
  mp3: { mediaType: "audio/mpeg", content: makeMp3(0.1) },
  opus: { mediaType: "audio/ogg", content: Buffer.from(`OggS\0\x02${"\0".repeat(20)}\x01\x13OpusHead`, "latin1") },
  aac: { mediaType: "audio/aac", content: Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0x1f, 0xfc]) },
  flac: { mediaType: "audio/flac", content: Buffer.from(`fLaC\0\0\0\x22${"\0".repeat(34)}`, "latin1") },
  wav: { mediaType: "audio/wav", content: buildWav() },
  pcm: { mediaType: "audio/pcm", content: Buffer.alloc(64, 7) },
};
