/**
 * Returns the bytes of a text in base64url; null unless it is the one text that encodes them. Node's decoder alone ignores
 * padding, foreign characters and the unused bits of the last character, so that altered texts would pass for the original.
 */
export function decodeBase64Url(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}
