/**
 * Pieces of text that no known vocabulary joins to one token: up to four letters that JSON has escaped, four letters of
 * scripts without spaces, or 32 of a word with a sign before it, three digits, 64 signs, and 128 spaces or line breaks.
 */
const PIECES =
  /(?:\\u[\da-f]{4}){1,4}|[^\s\p{L}\p{N}]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,4}|[^\s\p{L}\p{N}]?[\p{L}\p{M}]{1,32}(?:'\p{L}{1,2})?|\p{N}{1,3}|[^\s\p{L}\p{N}]{1,64}|\s{16,128}/giu;

/** Leaves room for vocabularies that join more than the measured ones (docs/decisions/0044-counted-tokens.md). */
const MAX_PIECES_PER_TOKEN = 1.5;

/** Returns the pieces of a text, of which `minTokensOf` makes tokens. Takes linear time. */
export const countPieces = (text: string): number => text.match(PIECES)?.length ?? 0;

/** Returns how many tokens a text of so many pieces has at least, whatever the vocabulary of its model. */
export const minTokensOf = (pieces: number): number => Math.floor(pieces / MAX_PIECES_PER_TOKEN);
