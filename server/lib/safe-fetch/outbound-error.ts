/** Why an outbound call was not made, or not finished. The message is fit for the customer. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly reason:
      | "refused_address"
      | "refused_url"
      | "not_sent"
      | "unresolved"
      | "unreachable"
      | "timeout"
      | "too_large"
      | "broken",
    message: string,
  ) {
    super(message);
  }
}

export const isOutboundError = (error: unknown): error is OutboundError => error instanceof OutboundError;

/** Returns an error with a message for the customer, which reveals nothing of the hub's network. */
export function toOutboundError(error: unknown, otherwise: "unreachable" | "broken"): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) {
    return new OutboundError("unreachable", "TLS error: the certificate or handshake is invalid.");
  }
  const messages = {
    unreachable: "The connection failed.",
    broken: "The connection closed early, or the response was not HTTP.",
  };
  return new OutboundError(otherwise, messages[otherwise]);
}
