/** Why an outbound call was not made, or not finished. The message is fit for the customer. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly reason:
      "refused_address" | "refused_url" | "unresolved" | "unreachable" | "timeout" | "too_large" | "broken",
    message: string,
  ) {
    super(message);
  }
}

/** Returns whether an error is an OutboundError, also one from another module graph of this process. */
export const isOutboundError = (error: unknown): error is OutboundError =>
  error instanceof Error && error.name === "OutboundError";
