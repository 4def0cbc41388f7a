import type { AppError, ErrorCode } from "../../errors";
import type { ErrorType } from "../../lib/metrics/error-types";
import type { FailureCause, FailureCode } from "../../providers/failure";

/** The error type of each code of an error response, unless more is known. */
export const typesByCode: Record<ErrorCode, ErrorType> = {
  invalid_input: "caller_invalid",
  unauthorized: "caller_invalid",
  insufficient_credits: "policy_no_credit",
  resource_not_found: "caller_invalid",
  model_not_found: "caller_invalid",
  generation_not_found: "caller_invalid",
  method_not_allowed: "caller_invalid",
  lease_lost: "worker_lapsed",
  invalid_state: "caller_invalid",
  file_in_use: "caller_invalid",
  generation_not_cancelable: "caller_invalid",
  idempotency_conflict: "caller_invalid",
  quote_expired: "caller_invalid",
  file_expired: "caller_invalid",
  payload_too_large: "caller_invalid",
  unsupported_media_type: "caller_invalid",
  range_not_satisfiable: "caller_invalid",
  no_route_available: "caller_invalid",
  rate_limited: "policy_rate",
  internal_error: "hub_internal",
  generation_in_progress: "caller_invalid",
  provider_error: "provider_error",
  service_unavailable: "hub_internal",
};

/** The error type of each code of a failed generation, unless more is known. */
export const typesByFailure: Record<FailureCode, ErrorType> = {
  provider_error: "provider_error",
  provider_refused: "provider_error",
  content_refused: "caller_invalid",
  invalid_output: "provider_bad_answer",
  input_unavailable: "caller_invalid",
  timeout: "deadline",
  supply_timeout: "caller_invalid",
  internal_error: "hub_internal",
};

const knownTypes = new WeakMap<Error, ErrorType>();

/** Sets the type of an error whose code does not imply it. Returns the error. */
export function withErrorType<E extends Error>(error: E, type: ErrorType): E {
  knownTypes.set(error, type);
  return error;
}

/** Returns the type of an error response. */
export const classifyError = (error: AppError): ErrorType =>
  knownTypes.get(error) ?? typesByCode[error.code] ?? "_OTHER";

/** What is known of an attempt or a generation that failed. */
export interface FailedWork {
  code?: FailureCode;
  cause?: FailureCause | null;
  upstreamStatus?: number | null;
}

/** Returns the error type of a failed attempt at a provider. */
export function classifyAttempt({ code, cause, upstreamStatus }: FailedWork): ErrorType {
  if (cause === "account") return upstreamStatus === 402 ? "provider_billing" : "provider_auth";
  if (cause === "capacity") return upstreamStatus === 429 ? "provider_rate_limited" : "provider_overloaded";
  if (code === "timeout") return "provider_timeout";
  if (cause === "outage") return classifyOutage(upstreamStatus);
  if (code && code !== "provider_refused") return typesByFailure[code] ?? "_OTHER";
  return cause === "job" ? "caller_invalid" : "provider_error";
}

function classifyOutage(status: number | null | undefined): ErrorType {
  if (status === 408 || status === 504) return "provider_timeout";
  return status ? "provider_error" : "provider_unreachable";
}

/** Returns the error type of a failed generation: its own error's, or that of the attempt that ended it. */
export function classifyGeneration(failed: FailedWork): ErrorType {
  const { code, cause } = failed;
  const isProviders = code === "provider_error" || code === "provider_refused";
  if (isProviders && cause) return classifyAttempt(failed);
  return code ? (typesByFailure[code] ?? "_OTHER") : "_OTHER";
}
