import { isId } from "../../../lib/id";
import { scopeWord, splitWords } from "./search-words";

/** What a search looks for: one generation or batch by its id, or words as a `tsquery` of Postgres. */
export type Search = { id: string } | { words: string };

const MAX_SEARCH_WORDS = 16;

/** Returns whether a text can be searched for: whether it has a letter or a digit. */
export const isSearchable = (text: string): boolean => splitWords(text).length > 0;

/**
 * Returns the search for a text: the id that it is, or else all of its words, of which the last may be the beginning of
 * one. Words have letters and digits alone, so they need no escaping.
 */
export function parseSearch(accountId: number, text: string): Search {
  const id = text.trim();
  if (isId(id)) return { id };
  const words = splitWords(text).slice(0, MAX_SEARCH_WORDS);
  return { words: `${words.map((word) => `'${scopeWord(accountId, word)}'`).join(" & ")}:*` };
}
