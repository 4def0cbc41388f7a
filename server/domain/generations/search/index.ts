/** The search of generations by words of their prompts, by ids and filters. */
export { indexOlderGenerations, mergeNewWords } from "./index-words";
export { collectWords, parseSearch, type Search } from "./search-words";
export { SearchInput } from "./search-input";
