import type { Failure } from "./failure";

/** Thrown when a file parameter cannot be read, or is too large for a provider. The message may be shown to customers. */
export class InputUnavailable extends Error {
  override readonly name = "InputUnavailable";
  constructor(
    message: string,
    /** Whether a retry may succeed. */
    readonly retryable = false,
  ) {
    super(message);
  }
}

/** Returns the failure of a job whose file could not be read. Throws every other error. */
export function describeUnavailable(error: unknown): Failure {
  if (!(error instanceof InputUnavailable)) throw error;
  return { code: "input_unavailable", message: error.message, retryable: error.retryable };
}
