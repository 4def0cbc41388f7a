/** Searches generations by words of their inputs, by id and by filters, and keeps the index of words. */
export { indexOlderGenerations, mergeNewWords } from "./index-words";
export { collectWords, parseSearch, type Search } from "./search-words";
export { SearchInput } from "./search-input";
