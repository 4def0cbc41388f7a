import { z } from "zod";
import { loadSharp } from "../../../lib/pictures/load-sharp";
import { withPictureMemory } from "../../../lib/pictures/picture-memory";
import { type JobState, outputOf } from "../../job";
import type { ProviderIo } from "../../provider";
import { drawPicture } from "../draw";
import { Input as PictureInput } from "../input";
import { MAX_SECONDS, videoSizes } from "./model";
import { writeWebm } from "./webm";

/** Input of `sandbox-video` with its defaults; keep it in sync with the schema in `model.ts`. */
const Input = z.object({
  prompt: z.string(),
  seconds: z.int().min(1).max(MAX_SECONDS).default(4),
  size: z.enum(Object.keys(videoSizes) as [keyof typeof videoSizes]).default("720x1280"),
  input_reference: z.string().optional(),
});

const FRAMES_PER_SECOND = 4;
/** The decoded picture, one frame of it, and their encoder. */
const BYTES_PER_PIXEL = 10;

/** Pans across a picture, which is a little larger than the video, from one corner to the opposite one. */
export async function filmPicture(sent: Record<string, unknown>, io: ProviderIo): Promise<JobState> {
  const { prompt, seconds, size, input_reference } = Input.parse(sent);
  const [width, height] = size.split("x").map(Number) as [number, number];
  const image_input = input_reference === undefined ? [] : [input_reference];
  const drawn = await drawPicture(PictureInput.parse({ prompt, aspect_ratio: videoSizes[size], image_input }), io);
  const film = () => pan(drawn, { width, height, count: seconds * FRAMES_PER_SECOND }, io.signal);
  const frames = await withPictureMemory(width * height * BYTES_PER_PIXEL, film, io.signal);
  const webm = writeWebm(frames, { width, height, frameMs: 1000 / FRAMES_PER_SECOND });
  return { state: "succeeded", outputs: [outputOf(webm, "video/webm")], usage: { seconds } };
}

async function pan(
  picture: Buffer,
  { width, height, count }: Record<"width" | "height" | "count", number>,
  signal: AbortSignal,
): Promise<Buffer[]> {
  const sharp = await loadSharp();
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const frames: Buffer[] = [];
  for (let index = 0; index < count; index += 1) {
    signal.throwIfAborted();
    const share = index / Math.max(1, count - 1);
    const left = Math.round((info.width - width) * share);
    const top = Math.round((info.height - height) * share);
    const frame = sharp(data, { raw }).extract({ left, top, width, height });
    frames.push(await frame.webp({ quality: 60, effort: 0 }).toBuffer());
  }
  return frames;
}
