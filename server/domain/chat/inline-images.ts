import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import type { FileRow } from "../files/file";
import { openContent } from "../files/find-file";
import { replaceImageUrls } from "../models/image-parts";

/** Base64 characters per byte. */
const BASE64_RATIO = 4 / 3;

/**
 * Returns the messages with these files as data URLs, so that the provider need not reach the hub. Throws when the
 * memory budget does not allow it.
 */
export async function inlineImages(
  hub: Hub,
  messages: unknown[],
  files: Map<string, FileRow>,
  memory: Reservation,
): Promise<unknown[]> {
  if (files.size === 0) return messages;
  const bytes = [...files.values()].reduce((sum, { size }) => sum + Number(size), 0);
  if (!memory.add(Math.ceil(BASE64_RATIO * bytes))) throw budgetExceeded();
  const contents = new Map<string, string>();
  for (const [url, file] of files) {
    const content = await buffer(await openContent(hub, file));
    contents.set(url, `data:${file.media_type};base64,${content.toString("base64")}`);
  }
  return replaceImageUrls(messages, (url) => contents.get(url));
}
