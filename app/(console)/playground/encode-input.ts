/** The longest encoded input of a link, in characters; servers and chat programs truncate much longer links. */
export const MAX_LINK_INPUT_LENGTH = 6_000;

/** Returns an input as a URL parameter: JSON, compressed, in base64url; null when that is too long for a link. */
export async function encodeInput(input: Record<string, unknown>): Promise<string | null> {
  const compressed = new Blob([JSON.stringify(input)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
  // Base64 has four characters for three bytes.
  if (bytes.length > (MAX_LINK_INPUT_LENGTH / 4) * 3) return null;
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
