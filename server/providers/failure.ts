/** All codes that a generation's `error` can have. */
export const failureCodes = [
  "provider_error",
  "provider_refused",
  "content_refused",
  "invalid_output",
  "input_unavailable",
  "timeout",
  "supply_timeout",
  "internal_error",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export interface Failure {
  code: FailureCode;
  /** Shown to customers: contains no upstream secret, key or address. */
  message: string;
  /** Whether the same request may succeed later. */
  retryable: boolean;
}

/**
 * Whether upstream began the work of a failed submit: `no` only if it certainly did not, `unknown` when the request was
 * sent and no response tells.
 */
export type Started = "no" | "yes" | "unknown";

/** What a failure says about its route: nothing (`job`), that its key, credit or model is wrong, that it is full, or down. */
export type FailureCause = "job" | "account" | "capacity" | "outage";
