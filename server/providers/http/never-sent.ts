/** Returns whether the name, the connection or the TLS handshake failed, so that no byte of the request was sent. */
export function wasNeverSent(error: unknown): boolean {
  const { code = "", syscall, reason } = error as { code?: string; syscall?: string; reason?: string };
  return (
    syscall === "connect" ||
    syscall === "getaddrinfo" ||
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    unsentReasons.has(reason) ||
    unsentCodes.test(code)
  );
}

const unsentCodes =
  /^(ECONNREFUSED$|ENOTFOUND$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS_|ERR_SSL_WRONG_VERSION|ERR_SSL_\w*HANDSHAKE)/;
/** Reasons of OutboundError. */
const unsentReasons = new Set<unknown>(["refused_address", "refused_url", "unresolved", "unreachable"]);
