import path from "node:path";

const types: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".txt": "text/plain",
  ".log": "text/plain",
  ".csv": "text/csv",
};

/** Returns the media type of a file by its extension; an unknown one is `application/octet-stream`. */
export const mediaTypeOf = (file: string): string =>
  types[path.extname(file).toLowerCase()] ?? "application/octet-stream";
