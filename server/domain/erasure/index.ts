/** Erases the content of generations: at once, once it was fetched, or once it is older than its account keeps it. */
export { eraseContent } from "./erase-content";
export { countDueContent, eraseDueFor } from "./erase-due";
export { eraseGeneration, eraseGenerations } from "./erase-selected";
export type { ErasureHub } from "./hub";
export { mergeErasedUsage } from "./merge-usage";
export { onOutputFetched } from "./on-fetched";
