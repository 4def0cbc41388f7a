/** The search of generations by words of their prompts, by ids and filters. */
export { indexOlderGenerations, mergeNewWords } from "./index-words";
export { parseSearch, type Search } from "./parse-search";
export { SearchInput } from "./search-input";
export { collectWords } from "./search-words";
