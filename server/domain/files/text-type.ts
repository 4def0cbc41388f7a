// Larger documents are judged by their two ends.
const MAX_PARSED = 1024 * 1024;
// What the rules of browsers call binary (WHATWG MIME Sniffing, section 3); no text has it.
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
// Stricter than any browser, which knows a list of tags.
const MARKUP = /^[\s\ufeff]*<[a-z!?/]/i;

/**
 * Follows a content that may be text. `push` answers why it is none that the hub takes, or null; `type` is JSON for
 * an object or a list, else plain text.
 */
export function createTextDetector() {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let start = "";
  let end = "";

  const add = (text: string): string | null => {
    const first = start === "" && text !== "";
    if (start.length <= MAX_PARSED) start += text;
    end = text.trimEnd() === "" ? end : text;
    if (first && MARKUP.test(text)) return "looks like HTML, XML or SVG, which is not taken";
    return BINARY.test(text) ? NOT_TAKEN : null;
  };
  const decode = (chunk?: Uint8Array): string | null => {
    try {
      return add(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      return NOT_TAKEN;
    }
  };
  return {
    push: (chunk: Uint8Array) => decode(chunk),
    end: () => decode(),
    type: () => (isJson(start, end) ? "application/json" : "text/plain"),
  };
}

const NOT_TAKEN =
  "must be PNG, JPEG, WebP, GIF, AVIF, MP4, WebM, MP3, WAV, Ogg, FLAC, PDF, safetensors, JSON or plain text in UTF-8";

function isJson(start: string, end: string): boolean {
  if (!/^\s*[[{]/.test(start)) return false;
  if (start.length > MAX_PARSED) return /[\]}]\s*$/.test(end);
  try {
    JSON.parse(start);
    return true;
  } catch {
    return false;
  }
}
