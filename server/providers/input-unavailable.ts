/** What `ProviderIo.read` throws when a file parameter cannot be read. The message is fit for the customer. */
export class InputUnavailable extends Error {
  override readonly name = "InputUnavailable";
  constructor(
    message: string,
    /** Whether the same address may answer later. */
    readonly retryable = false,
  ) {
    super(message);
  }
}
