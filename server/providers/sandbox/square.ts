import { InputUnavailable } from "../input-unavailable";
import type { ProviderIo } from "../provider";
import { isPicture, type Picture, readPicture } from "../../lib/pictures/picture";
import { MAX_PICTURE_MEMORY_BYTES, withOpenPicture, withPictureMemory } from "../../lib/pictures/picture-memory";
import { runPictureTask } from "../../lib/pictures/picture-thread";

interface Square {
  /** Place of the URL in the input, for error messages. */
  place: string;
  edge: number;
  frame?: number;
}

/**
 * Returns the picture at a URL as a square of raw RGB with a white frame. Throws InputUnavailable, naming its place, for a
 * picture that is unreadable or too large to decode, and the signal's reason.
 */
export const readSquare = (
  { read, signal }: Pick<ProviderIo, "read" | "signal">,
  url: string,
  square: Square,
): Promise<Buffer> =>
  withOpenPicture(async () => {
    const picture = await openPicture(await read(url), square.place);
    return withPictureMemory(picture.decodedBytes, () => cutSquare(picture, square), signal);
  }, signal);

async function openPicture(content: Buffer, place: string): Promise<Picture> {
  if (!isPicture(content)) throw unreadable(place);
  const picture = await readPicture(content).catch(() => {
    throw unreadable(place);
  });
  if (picture.decodedBytes <= MAX_PICTURE_MEMORY_BYTES) return picture;
  const { width, height } = picture.header;
  throw new InputUnavailable(`${place} is too large to decode: ${width} × ${height} pixels.`);
}

async function cutSquare({ content }: Picture, { place, edge, frame = 0 }: Square): Promise<Buffer> {
  try {
    const square = await runPictureTask("square", content, { edge, frame });
    return Buffer.from(square.content.buffer, square.content.byteOffset, square.content.byteLength);
  } catch {
    throw unreadable(place);
  }
}

const unreadable = (place: string) => new InputUnavailable(`${place} is not a picture that can be read.`);
