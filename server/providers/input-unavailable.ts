/** Thrown by `ProviderIo.read` when a file parameter cannot be read. The message may be shown to customers. */
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
