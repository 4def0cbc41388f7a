import type { ProviderOutput } from "../provider";
import { ProviderError } from "../provider-error";

const HEADER = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=."-]+)*?;base64,/;

/** Returns the output of a base64 data URI. Throws ProviderError for any other. */
export function decodeDataUri(text: string): ProviderOutput {
  const header = HEADER.exec(text.slice(0, 200));
  if (!header) throw invalidBase64();
  return decodeBase64(text.slice(header[0].length), header[1]?.toLowerCase() ?? null);
}

/** Characters that are decoded at once: a multiple of four. */
const CHUNK_CHARACTERS = 1024 * 1024;

/** Returns the output of a base64 text, which is decoded piece by piece while it is stored. Throws ProviderError. */
export function decodeBase64(text: string, mediaType: string | null): ProviderOutput {
  // Some servers break the lines.
  const compact = text.includes("\n") ? text.replace(/\s+/g, "") : text;
  if (compact.length === 0 || !isBase64(compact.slice(0, 64)) || !isBase64(compact.slice(-64))) throw invalidBase64();
  return { mediaType, read: (store) => store(decodeChunks(compact)) };
}

async function* decodeChunks(text: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    yield Buffer.from(text.slice(start, start + CHUNK_CHARACTERS), "base64");
    // Large outputs leave the event loop to others between two pieces.
    await new Promise(setImmediate);
  }
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);

const invalidBase64 = () =>
  new ProviderError({ code: "invalid_output", message: "The provider's output could not be read.", retryable: true });
