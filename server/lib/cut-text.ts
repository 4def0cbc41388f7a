const FIRST_OF_PAIR = /[\ud800-\udbff]/;

/**
 * Returns the first `maxLength` UTF-16 code units of a text, or one less to avoid half of a surrogate pair, which JSON
 * escapes in a way that Postgres does not store.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const splitsPair = FIRST_OF_PAIR.test(text[maxLength - 1] ?? "");
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}
