/** The form of a pair's key. */
export const METADATA_KEY = /^[A-Za-z0-9_.-]{1,64}$/;

/** Returns the pairs of a text such as `team=blue, run=7`, once each; the value of a part without `=` is undefined. */
export const parsePairs = (text: string): Record<string, string | undefined> =>
  Object.fromEntries(
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const at = part.indexOf("=");
        return at === -1 ? [part, undefined] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
      }),
  );

/** Returns pairs as a text that `parsePairs` can read back, unless a value contains a comma. */
export const formatPairs = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");
