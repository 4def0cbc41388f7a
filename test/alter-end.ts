const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns texts that a lenient base64url decoder may accept as this one: with characters appended, or another last one. */
export const alterEnd = (text: string): string[] => [
  ...["=", "!", "x", ".x"].map((end) => text + end),
  text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1)!) ^ 1]!,
];
