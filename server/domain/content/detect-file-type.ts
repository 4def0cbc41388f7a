import { invalidInput } from "../../errors";
import { JsonTokens, Token } from "../../lib/json/tokens";
import { parsesAsJson, TYPE_BYTES, typeByMagicBytes } from "./magic-bytes";

/**
 * Passes an upload through and detects its media type from its content, never from its name. Throws a 400 about `file`
 * from the stream when the content is empty or of an unsupported type, so that nothing of it is stored.
 */
export function detectFileType(content: AsyncIterable<Uint8Array>) {
  let type: string | null = null;
  const text = createTextDetector();
  const rejectIf = (issue: string | null) => {
    if (issue !== null) throw invalidInput("file", issue);
  };
  const detect = (head: Buffer): Buffer => {
    rejectIf(head.length === 0 ? "is empty" : null);
    type = typeByMagicBytes(head);
    if (type === null) rejectIf(text.push(head));
    return head;
  };

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let head: Buffer | null = Buffer.alloc(0);
    for await (const chunk of content) {
      if (head) {
        head = Buffer.concat([head, chunk]);
        if (head.length < TYPE_BYTES) continue;
        yield detect(head);
        head = null;
      } else {
        if (type === null) rejectIf(text.push(chunk));
        yield chunk;
      }
    }
    if (head) yield detect(head);
    if (type === null) rejectIf(text.end());
  }
  return {
    chunks: chunks(),
    /** Returns whether what was read is enough to know the media type; that of a text needs all of it. */
    isKnown: () => type !== null,
    /** Returns the media type; call it after the stream has ended, or once it is known. */
    type: () => type ?? text.type(),
  };
}

// A mebibyte of nested lists or of small objects would block the event loop for a third of a second. Longer documents are
// recognized by their first value and last character.
const MAX_PARSED_LENGTH = 64 * 1024;
// Binary data bytes (WHATWG MIME Sniffing, section 3), which no text contains.
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
// Stricter than browsers, which match a list of tags.
const MARKUP = /^[\s\ufeff]*<[a-z!?/]/i;

/**
 * Returns a detector for content that may be text. `push` and `end` return why the content is unsupported, or null;
 * `type` returns JSON for an object or an array, else plain text.
 */
function createTextDetector() {
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
  if (start.length <= MAX_PARSED_LENGTH) return parsesAsJson(start);
  return /[\]}]\s*$/.test(end) && !hasSecondValue(start.slice(0, MAX_PARSED_LENGTH));
}

/** Returns whether more follows the first value in the beginning of a document, as in JSON Lines. */
function hasSecondValue(start: string): boolean {
  const tokens = new JsonTokens(Buffer.from(start));
  let depth = 0;
  while (tokens.next()) {
    if (tokens.kind === Token.openArray || tokens.kind === Token.openObject) depth += 1;
    else if (tokens.kind === Token.closeArray || tokens.kind === Token.closeObject) depth -= 1;
    if (depth === 0) return tokens.next();
  }
  return false;
}
