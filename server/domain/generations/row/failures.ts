import type { FailedJob } from "../../../providers/job";
import type { Failure } from "./generation";

export const timedOut: Failure = {
  code: "timeout",
  message: "The generation exceeded its model's time limit.",
  retryable: true,
};

export const internalError: Failure = {
  code: "internal_error",
  message: "Something failed on our side; nothing was charged.",
  retryable: true,
};

export const outputTooLarge: Failure = {
  code: "invalid_output",
  message: "An output is larger than 1 GiB.",
  retryable: false,
};

export const outputNotDownloaded: Failure = {
  code: "invalid_output",
  message: "The provider's output could not be downloaded.",
  retryable: true,
};

export const unroutable: Failure = {
  code: "provider_refused",
  message: "No provider could take the work.",
  retryable: true,
};

/** The state of a submit that certainly did not reach the provider. */
export const neverStarted: FailedJob = {
  state: "failed",
  started: "no",
  cause: "outage",
  error: { code: "provider_refused", message: "The provider cannot be reached.", retryable: true },
};

export const attemptLost: Failure = {
  code: "provider_error",
  message: "It is unknown whether the provider did the work; nothing was charged.",
  retryable: true,
};

/** The error of a chat or a training whose process has exited. */
export const hubStopped: Failure = {
  code: "internal_error",
  message: "The hub was stopped while this ran.",
  retryable: true,
};
