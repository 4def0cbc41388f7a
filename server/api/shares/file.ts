import type { FileRow } from "../../domain/files";
import type { Hub } from "../../domain/hub";
import { serveContent } from "../content";

/** Types that browsers show and that run nothing. */
const PASSIVE_TYPE =
  /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/(?:mp4|webm|quicktime)|audio\/(?:mpeg|wav|x-wav|ogg|flac|aac|mp4|webm))$/;

/** Returns how the page shows a file; `file` for one that can only be downloaded. */
export function sharedKindOf({ media_type: type }: Pick<FileRow, "media_type">): "image" | "video" | "audio" | "file" {
  if (!PASSIVE_TYPE.test(type)) return "file";
  return type.split("/")[0] as "image" | "video" | "audio";
}

/**
 * Returns the content of a shared file, as `serveContent` does, to its page only and never by a redirect to the bucket: a
 * link to the bucket would work after the share link was revoked, and without these headers. A type that a browser might
 * run, such as HTML or SVG, is sent as unknown bytes to be saved.
 */
export async function serveSharedFile(hub: Hub, file: FileRow, request: Request) {
  const media_type = sharedKindOf(file) === "file" ? "application/octet-stream" : file.media_type;
  const { headers, ...response } = await serveContent(hub, { ...file, media_type }, request, { canRedirect: false });
  return {
    ...response,
    headers: {
      ...headers,
      // Asks again each time, so that a revoked link shows nothing from a cache.
      "Cache-Control": "private, no-cache",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  };
}
