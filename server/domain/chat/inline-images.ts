import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import { budgetExceeded, type Reservation } from "../../lib/byte-budget";
import type { FileRow } from "../files/file";
import { openContent } from "../files/open";
import { replaceImageUrls } from "./images";

/** Characters of base64 for each byte. */
const BASE64 = 4 / 3;

/** The messages with the content of these files in place of their addresses, so that upstream needs none of ours. */
export async function inlineImages(
  hub: Hub,
  messages: unknown[],
  files: Map<string, FileRow>,
  memory: Reservation,
): Promise<unknown[]> {
  if (files.size === 0) return messages;
  const bytes = [...files.values()].reduce((sum, { size }) => sum + Number(size), 0);
  if (!memory.add(Math.ceil(BASE64 * bytes))) throw budgetExceeded();
  const contents = new Map<string, string>();
  for (const [url, file] of files) {
    const content = await buffer(await openContent(hub, file));
    contents.set(url, `data:${file.media_type};base64,${content.toString("base64")}`);
  }
  return replaceImageUrls(messages, (url) => contents.get(url));
}
