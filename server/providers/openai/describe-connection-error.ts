import type { ChatState } from "../provider";
import { ResponseTooLarge } from "./read-response-body";

type Failed = Extract<ChatState, { state: "failed" }>;

/** What became of a call that has no answer. Faults name addresses, so none of their words are repeated. */
export function describeConnectionError(fault: unknown): Failed {
  const { code = "", syscall } = fault as { code?: string; syscall?: string };
  if (neverSent(code, syscall)) return failed("provider_refused", "The provider cannot be reached.", false);
  if (/TIMEOUT$/.test(code)) return failed("timeout", "The provider did not answer in time.");
  if (fault instanceof ResponseTooLarge) return failed("invalid_output", "The provider's answer is too large.");
  return failed("provider_error", "The connection to the provider broke before its answer was complete.");
}

// Connecting, its name or its certificate failed: no byte of the request has left.
const neverSent = (code: string, syscall?: string): boolean =>
  syscall === "connect" ||
  syscall === "getaddrinfo" ||
  code === "UND_ERR_CONNECT_TIMEOUT" ||
  /^(ECONNREFUSED$|ENOTFOUND$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_|ERR_SSL_WRONG_VERSION|ERR_SSL_\w*HANDSHAKE)/.test(
    code,
  );

const failed = (code: Failed["error"]["code"], message: string, started = true): Failed => ({
  state: "failed",
  error: { code, message, retryable: true },
  started,
});
