import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { writeWav } from "../server/providers/sandbox/audio/wav";
import { markBuffer } from "../test/media/mark";
import { median, timeRepeatedly } from "./load";
import { checkBound, printTitle } from "./report";

const ROUNDS = 51;
const SIDE = 1_180;
const MAX_MS = 15;

/** Measures what the mark adds to storing a picture of 4 MB and a recording of 20 MB, which arrive in pieces of 64 KiB. */
export async function benchMarks(): Promise<void> {
  printTitle("Marks of outputs");
  const picture = await sharp(randomBytes(SIDE * SIDE * 3), { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
  const recording = writeWav(new Int16Array(10_000_000), 44_100, "");
  const contents = { "image/png": picture, "audio/wav": recording };
  for (const [mediaType, content] of Object.entries(contents)) {
    const times = await timeRepeatedly(ROUNDS, () => markBuffer(content, mediaType));
    const megabytes = (content.length / 1e6).toFixed(1);
    checkBound(`${mediaType} of ${megabytes} MB`, median(times), "at most", MAX_MS, " ms");
  }
}
