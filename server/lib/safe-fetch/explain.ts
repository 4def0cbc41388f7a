import { OutboundError } from "./outbound-error";

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
