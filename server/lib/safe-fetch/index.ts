export { checkUrl } from "./check-url";
export { createSafeFetch } from "./create-safe-fetch";
export { readUrl } from "./read-url";
export { isOutboundError, OutboundError } from "./outbound-error";
export type { SafeFetch, SafeRequest, SafeResponse, Scheme } from "./safe-request";
