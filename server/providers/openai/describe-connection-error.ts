import type { ChatState } from "../provider";
import { ResponseTooLarge } from "./read-response-body";

type Failed = Extract<ChatState, { state: "failed" }>;

/** Returns the failure for a request without a response. Error messages contain addresses, so none is passed on. */
export function describeConnectionError(error: unknown): Failed {
  const { code = "", syscall } = error as { code?: string; syscall?: string };
  if (wasNeverSent(code, syscall)) return failed("provider_refused", "The provider cannot be reached.", false);
  if (/TIMEOUT$/.test(code)) return failed("timeout", "The provider did not answer in time.");
  if (error instanceof ResponseTooLarge) return failed("invalid_output", "The provider's answer is too large.");
  return failed("provider_error", "The connection to the provider broke before its answer was complete.");
}

// Name resolution, connecting or the TLS handshake failed, so no byte of the request was sent.
const wasNeverSent = (code: string, syscall?: string): boolean =>
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
