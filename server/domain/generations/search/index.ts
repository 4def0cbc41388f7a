/** Searches generations by words of their inputs, by metadata, by id and by filters, and keeps the index of words. */
export { indexOlderGenerations, mergeNewWords } from "./index-words";
export { toLabelWords } from "./label-words";
export { parseSearch, type Search } from "./parse-search";
export { collectWords } from "./search-words";
export { SearchInput } from "./search-input";
