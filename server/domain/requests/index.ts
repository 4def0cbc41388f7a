/** What an account's programs and members have requested: its generations and its rejected requests, in one list. */
export { listRequests, RequestFilters } from "./list-requests";
export { type RequestItem, serializeRequest } from "./serialize-request";
