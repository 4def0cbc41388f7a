import { isPicture, readPicture } from "../picture";

const DATA_URL = /^data:[^,]*;base64,/i;
const MAX_URL_LENGTH = 30_000_000;

/** Returns a short description of an image. Only data: URLs are read; the sandbox makes no network requests. */
export async function describeImage(url: string): Promise<string> {
  const head = DATA_URL.exec(url)?.[0];
  if (head === undefined || url.length > MAX_URL_LENGTH) return "an image that I do not open";
  const content = Buffer.from(url.slice(head.length), "base64");
  if (!isPicture(content)) return "something that is no picture";
  try {
    const { format, width, height } = (await readPicture(content)).header;
    return `a ${format} picture of ${width} × ${height} pixels`;
  } catch {
    return "a broken picture";
  }
}
