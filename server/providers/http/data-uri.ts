import type { ProviderOutput } from "../job";
import { ProviderError } from "../provider-error";

const HEADER = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=."-]+)*?;base64,/;

/** Returns the output of a base64 data URI. Throws ProviderError for any other. */
export function decodeDataUri(text: string): ProviderOutput {
  const header = HEADER.exec(text.slice(0, 200));
  if (!header) throw invalidBase64();
  return decodeBase64(text.slice(header[0].length), header[1]?.toLowerCase() ?? null);
}

/** Characters that are decoded at once. */
const CHUNK_CHARACTERS = 1024 * 1024;

/** Returns the output of a base64 text, which is decoded piece by piece while it is stored. Throws ProviderError. */
export function decodeBase64(text: string, mediaType: string | null): ProviderOutput {
  if (text.length === 0 || !isBase64(text.slice(0, 64)) || !isBase64(text.slice(-64))) throw invalidBase64();
  return { mediaType, read: (store) => store(decodeChunks(text)) };
}

async function* decodeChunks(text: string): AsyncGenerator<Uint8Array> {
  let rest = "";
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    // Some servers break the lines, so a piece need not end where four characters do.
    const piece = rest + text.slice(start, start + CHUNK_CHARACTERS).replace(/\s+/g, "");
    const end = piece.length - (piece.length % 4);
    rest = piece.slice(end);
    yield Buffer.from(piece.slice(0, end), "base64");
    // Yields to the event loop between two pieces of a large output.
    await new Promise(setImmediate);
  }
  if (rest !== "") yield Buffer.from(rest, "base64");
}

const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/_\s-]*={0,2}\s*$/.test(text);

const invalidBase64 = () =>
  new ProviderError({ code: "invalid_output", message: "The provider's output could not be read.", retryable: true });
