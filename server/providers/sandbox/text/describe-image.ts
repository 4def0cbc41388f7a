import { isPicture, readPicture } from "../picture";

const DATA = /^data:[^,]*;base64,/i;
const MAX_CHARACTERS = 30_000_000;

/** An image in a few words. The sandbox opens what came with the chat, and no address. */
export async function describeImage(url: string): Promise<string> {
  const head = DATA.exec(url)?.[0];
  if (head === undefined || url.length > MAX_CHARACTERS) return "an image that I do not open";
  const content = Buffer.from(url.slice(head.length), "base64");
  if (!isPicture(content)) return "something that is no picture";
  try {
    const { format, width, height } = (await readPicture(content)).header;
    return `a ${format} picture of ${width} × ${height} pixels`;
  } catch {
    return "a broken picture";
  }
}
