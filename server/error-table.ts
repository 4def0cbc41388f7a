/** All error codes, with their HTTP status and the title of their problem body (specification, section 7). */
export const errorTable = {
  invalid_input: { status: 400, title: "The request is not valid" },
  unauthorized: { status: 401, title: "A valid credential is required" },
  insufficient_credits: { status: 402, title: "The available balance does not cover this" },
  resource_not_found: { status: 404, title: "Resource not found" },
  model_not_found: { status: 404, title: "Model not found" },
  generation_not_found: { status: 404, title: "Generation not found" },
  method_not_allowed: { status: 405, title: "This path does not support this method" },
  lease_lost: { status: 409, title: "The lease is lost" },
  invalid_state: { status: 409, title: "The current status does not allow this operation" },
  file_in_use: { status: 409, title: "This file is in use" },
  generation_not_cancelable: { status: 409, title: "This generation can no longer be canceled" },
  idempotency_conflict: { status: 409, title: "The idempotency key was used with a different request" },
  quote_expired: { status: 409, title: "The quote is no longer valid for this request" },
  file_expired: { status: 410, title: "The file has expired" },
  payload_too_large: { status: 413, title: "The request is too large" },
  unsupported_media_type: { status: 415, title: "The content encoding is not supported" },
  range_not_satisfiable: { status: 416, title: "The file does not contain this range" },
  no_route_available: { status: 422, title: "No route can serve this model and input" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal_error: { status: 500, title: "Something failed on our side" },
  generation_in_progress: { status: 503, title: "A generation with this idempotency key is still in progress" },
  provider_error: { status: 503, title: "The provider could not serve this request" },
  service_unavailable: { status: 503, title: "The service is temporarily unavailable" },
} as const;

export type ErrorCode = keyof typeof errorTable;
