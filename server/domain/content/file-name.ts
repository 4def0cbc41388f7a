/** Limits what is cleaned. A longer name keeps its end, because of the extension. */
const MAX_SENT_LENGTH = 1_000;
/** The limit of the column `file.name`. */
const MAX_LENGTH = 200;
// Control characters, line separators, and characters that change the direction of a name or are invisible in it.
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/**
 * Returns the name of an upload for display and downloads: without folders, control characters and leading dots, at most
 * 200 characters. Null when nothing is left.
 */
export function cleanFileName(sent: string): string | null {
  const name = sent
    .slice(-MAX_SENT_LENGTH)
    .replace(/^.*[\\/]/s, "")
    // Browsers send quotation marks in this form.
    .replaceAll("%22", '"')
    .replace(UNSAFE, "")
    .replace(/\s+/g, " ")
    .normalize("NFC")
    .trim()
    .replace(/^\.+/, "");
  return truncate(name) || null;
}

function truncate(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_LENGTH) return name;
  const extension = /\.[A-Za-z0-9]{1,11}$/.exec(name)?.[0] ?? "";
  return characters.slice(0, MAX_LENGTH - extension.length).join("") + extension;
}

/** Returns the extension of a media type, without a dot. */
export function fileExtension(mediaType: string): string {
  const subtype = mediaType.split("/")[1] ?? "";
  return extensions[mediaType] ?? (/^[a-z0-9]{1,10}$/.test(subtype) ? subtype : "bin");
}

const extensions: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "audio/mpeg": "mp3",
  "text/plain": "txt",
  "application/octet-stream": "bin",
  "application/x-safetensors": "safetensors",
  "application/x-tar": "tar",
  "application/gzip": "gz",
  "model/gltf-binary": "glb",
  "model/gltf+json": "gltf",
};
