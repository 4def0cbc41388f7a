/** REST requests that were answered with an error: a bounded log, and its list for the console. */
export { countRejected, listRejected, RejectedFilters, serializeRejectedRequest } from "./list-rejected";
export { createRejectionServices, purgeRejected, type RejectionServices } from "./rejection-log";
