/** REST requests that were answered with an error: a bounded log, and its list. */
export { countRejected } from "./count-rejected";
export { listRejected, RejectedFilters } from "./list-rejected";
export { purgeRejected, REJECTED_RETENTION_DAYS } from "./purge-rejected";
export { serializeRejectedRequest } from "./rejected-request";
export { createRejectionServices, type RejectionServices } from "./rejection-log";
