/** Patterns for the first bytes of a content, as Latin-1, with its media type. The first match wins. */
const signatures: [RegExp, string][] = [
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF[^]{4}WEBPVP8[ LX]/, "image/webp"],
  [/^\0\0\0[^]ftyp(?:avi[fs]|m[is]f1[^]{4}(?:[^]{4}){0,24}?avi[fs])/, "image/avif"],
  // By the first brand alone: sound, QuickTime and raw photographs name MP4 among the brands that follow.
  [/^\0\0\0[^]ftyp(?:isom|iso[2-9a-c]|mp4[12]|mp71|avc1|dash|cmf[cf2]|M4V[ HP]|MSNV|XAVC|3gp[4-9])/, "video/mp4"],
  [/^\x1aE\xdf\xa3[^]{1,60}?B\x82[^]{1,8}webm/, "video/webm"],
  // The first page may be that of a skeleton or of the sound.
  [/^OggS\0[^]{20,220}\x80theora/, "video/ogg"],
  [/^OggS\0/, "audio/ogg"],
  // The first block of metadata describes the stream; its highest bit is set if no other block follows.
  [/^fLaC[\0\x80]/, "audio/flac"],
  // RF64 and BW64 are WAV with sizes of 64 bits.
  [/^(?:RIFF|RF64|BW64)[^]{4}WAVE/, "audio/wav"],
  [/^ID3[\x02-\x04]\0/, "audio/mpeg"],
  // A frame header of MPEG audio, layer III, with a valid bit rate.
  [/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xef]/, "audio/mpeg"],
  [/^%PDF-\d/, "application/pdf"],
];

/** How many first bytes show the media type of a binary content. All callers use this number, so that they agree. */
export const TYPE_BYTES = 4096;
const SAFETENSORS = "application/x-safetensors";
const MAX_HEADER_BYTES = 100_000_000;

/** Returns the media type of a binary content from its first 4 KiB; null when it is unsupported. */
export function typeByMagicBytes(content: Buffer): string | null {
  const head = content.subarray(0, TYPE_BYTES);
  const start = head.toString("latin1", 0, 256);
  return signatures.find(([pattern]) => pattern.test(start))?.[1] ?? (isSafetensors(head) ? SAFETENSORS : null);
}

// Safetensors begins with the length of a JSON header, then the header: an object of objects. A header that continues
// after the head is recognized by its beginning.
function isSafetensors(head: Buffer): boolean {
  if (head.length < 10) return false;
  const length = head.readBigUInt64LE();
  if (
    length > MAX_HEADER_BYTES ||
    !/^\{\s*(?:\}|"(?:[^"\\]|\\.){1,200}"\s*:\s*\{)/.test(head.toString("latin1", 8, 512))
  ) {
    return false;
  }
  return head.length < 8 + Number(length) || parsesAsJson(head.toString("utf8", 8, 8 + Number(length)));
}

/** Returns whether a text is valid JSON. */
export function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
