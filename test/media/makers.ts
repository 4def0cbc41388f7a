import { readFileSync } from "node:fs";
import path from "node:path";

/** Files that a maker signed with a C2PA manifest, made with the SDK of the Content Authenticity Initiative. */
export const signedFiles = (
  [
    ["image/png", "png"],
    ["image/jpeg", "jpg"],
    ["image/webp", "webp"],
    ["image/avif", "avif"],
    ["video/mp4", "mp4"],
    ["audio/wav", "wav"],
    ["audio/mpeg", "mp3"],
  ] as const
).map(([mediaType, extension]) => ({
  mediaType,
  content: readFileSync(path.resolve(`test/media/c2pa/signed.${extension}`)),
}));
