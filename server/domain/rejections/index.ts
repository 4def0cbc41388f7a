/** REST requests that were answered with an error: a bounded log, and how many a key has. */
export { countRejected } from "./count-rejected";
export { createRejectionServices, purgeRejected, type RejectionServices } from "./rejection-log";
