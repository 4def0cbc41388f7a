/** Erases the content of generations: at once, or once it is older than its account keeps it. */
export { eraseContent, eraseRows } from "./erase-content";
export type { ErasureHub } from "./hub";
