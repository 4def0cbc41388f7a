import type { Metadata } from "../../../context";
import { isId } from "../../../lib/id";
import { toLabelQuery } from "./label-words";
import { scopeWord, splitWords } from "./search-words";

/**
 * What a search looks for: one generation or batch by its id, or words as a Postgres `tsquery`; optionally also metadata pairs.
 * In a query with pairs, `DAY` stands for the day of a generation.
 */
export type Search = { id: string; metadata?: Metadata } | { words: string; hasPairs: boolean };

const MAX_SEARCH_WORDS = 16;

/**
 * Returns the search for a text and for metadata, at least one of which is given. The text is an id, or else all of its words,
 * of which the last may be the beginning of one. Words consist of letters and digits, so they need no escaping.
 */
export function parseSearch(accountId: number, text: string | undefined, metadata: Metadata | undefined): Search {
  const id = text?.trim() ?? "";
  if (isId(id)) return { id, metadata };
  const words = splitWords(id).slice(0, MAX_SEARCH_WORDS);
  const terms = words.map((word, at) => `'${scopeWord(accountId, word)}'${at === words.length - 1 ? ":*" : ""}`);
  const pairs = Object.entries(metadata ?? {}).map((pair) => toLabelQuery(accountId, pair));
  return { words: [...terms, ...pairs].join(" & "), hasPairs: pairs.length > 0 };
}
