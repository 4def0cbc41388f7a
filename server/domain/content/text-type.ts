// Larger documents are recognized by their first and last characters.
const MAX_PARSED_LENGTH = 1024 * 1024;
// Binary data bytes (WHATWG MIME Sniffing, section 3), which no text contains.
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
// Stricter than browsers, which match a list of tags.
const MARKUP = /^[\s\ufeff]*<[a-z!?/]/i;

/**
 * Returns a detector for content that may be text. `push` and `end` return why the content is unsupported, or null;
 * `type` returns JSON for an object or an array, else plain text.
 */
export function createTextDetector() {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let start = "";
  let end = "";

  const inspectText = (text: string): string | null => {
    const first = start === "" && text !== "";
    if (start.length <= MAX_PARSED_LENGTH) start += text;
    end = text.trimEnd() === "" ? end : text;
    if (first && MARKUP.test(text)) return "looks like HTML, XML or SVG, which is not supported";
    return BINARY.test(text) ? UNSUPPORTED : null;
  };
  const decode = (chunk?: Uint8Array): string | null => {
    try {
      return inspectText(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      return UNSUPPORTED;
    }
  };
  return {
    push: (chunk: Uint8Array) => decode(chunk),
    end: () => decode(),
    type: () => (isJson(start, end) ? "application/json" : "text/plain"),
  };
}

const UNSUPPORTED =
  "must be PNG, JPEG, WebP, GIF, AVIF, MP4, WebM, MP3, WAV, Ogg, FLAC, PDF, safetensors, JSON or plain text in UTF-8";

function isJson(start: string, end: string): boolean {
  if (!/^\s*[[{]/.test(start)) return false;
  if (start.length > MAX_PARSED_LENGTH) return /[\]}]\s*$/.test(end);
  try {
    JSON.parse(start);
    return true;
  } catch {
    return false;
  }
}
