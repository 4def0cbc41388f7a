import { OutboundError } from "./outbound-error";

/** What went wrong, in words for the customer, who must not learn more of our network than they gave us. */
export function toOutboundError(error: unknown, otherwise: "unreachable" | "broken"): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) {
    return new OutboundError("unreachable", "Its TLS certificate or handshake is not valid.");
  }
  const messages = { unreachable: "It could not be connected to.", broken: "It broke off, or did not answer in HTTP." };
  return new OutboundError(otherwise, messages[otherwise]);
}
