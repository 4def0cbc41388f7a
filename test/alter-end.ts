const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns texts that a lenient decoder of base64url may take for this one: continued, or with another last character. */
export const alterEnd = (text: string): string[] => [
  ...["=", "!", "x", ".x"].map((end) => text + end),
  text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1)!) ^ 1]!,
];
