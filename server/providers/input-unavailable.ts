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
