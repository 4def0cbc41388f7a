import { OutboundError } from "./outbound-error";

/** What went wrong, in words for the customer, who must not learn more of our network than they gave us. */
export function explain(error: unknown, connected: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) {
    return new OutboundError("unreachable", "Its TLS certificate or handshake is not valid.");
  }
  return connected
    ? new OutboundError("broken", "It broke off, or its answer was not valid HTTP.")
    : new OutboundError("unreachable", "It could not be connected to.");
}
