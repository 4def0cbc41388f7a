/** How a content begins, as Latin-1, and the type that it therefore has. The first that matches counts. */
const signatures: [RegExp, string][] = [
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[^]{4}WEBPVP8[ LX]/, "image/webp"],
  [/^\0\0\0[^]ftyp(?:avi[fs]|mif1[^]{4}(?:[^]{4}){0,8}avif)/, "image/avif"],
  [/^\0\0\0[^]ftyp(?:isom|iso[2-9a]|mp4[12]|mp71|avc1|dash|cmf[cf2]|M4V |MSNV|3gp[4-9])/, "video/mp4"],
  [/^\x1aE\xdf\xa3[^]{1,60}?B\x82[^]{1,8}webm/, "video/webm"],
  [/^OggS\0[^]{20,60}\x80theora/, "video/ogg"],
  [/^OggS\0/, "audio/ogg"],
  [/^fLaC\0/, "audio/flac"],
  [/^RIFF[^]{4}WAVE/, "audio/wav"],
  [/^ID3[\x02-\x04]\0/, "audio/mpeg"],
  // A frame of MPEG audio, layer III, with a bit rate that exists.
  [/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xef]/, "audio/mpeg"],
  [/^%PDF-\d/, "application/pdf"],
];

const SAFETENSORS = "application/x-safetensors";
const MAX_HEADER = 100_000_000;

/** The type of a binary content by its first bytes (4 KiB are enough); null when it is none that the hub takes. */
export function typeByMagicBytes(head: Buffer): string | null {
  const start = head.toString("latin1", 0, 256);
  return signatures.find(([form]) => form.test(start))?.[1] ?? (isSafetensors(head) ? SAFETENSORS : null);
}

// The length of a JSON header, then the header: an object of objects.
function isSafetensors(head: Buffer): boolean {
  if (head.length < 10) return false;
  const length = head.readBigUInt64LE();
  if (length > MAX_HEADER || !/^\{\s*(?:\}|"(?:[^"\\]|\\.){1,200}"\s*:\s*\{)/.test(head.toString("latin1", 8, 512))) {
    return false;
  }
  if (head.length < 8 + Number(length)) return true;
  try {
    JSON.parse(head.toString("utf8", 8, 8 + Number(length)));
    return true;
  } catch {
    return false;
  }
}
