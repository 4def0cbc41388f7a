import { buffer } from "node:stream/consumers";
import type { Hub } from "../../context";
import type { FileRow } from "../files/file";
import { openContent } from "../files/open";
import { changeImages } from "./images";

/** The messages with the content of these files in place of their addresses, so that upstream needs none of ours. */
export async function inlineImages(hub: Hub, messages: unknown[], files: Map<string, FileRow>): Promise<unknown[]> {
  if (files.size === 0) return messages;
  const contents = new Map<string, string>();
  for (const [url, file] of files) {
    const content = await buffer(await openContent(hub, file));
    contents.set(url, `data:${file.media_type};base64,${content.toString("base64")}`);
  }
  return changeImages(messages, (url) => contents.get(url));
}
